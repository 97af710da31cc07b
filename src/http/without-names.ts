import { compare } from '../base/lists.js';
import { countOf } from '../base/sentences.js';
import type { AnalysisSummary } from '../documents/analysis-summary.js';
import { countWarnings } from '../documents/count-warnings.js';
import type { PodEntry, PublishedEntry, ResultsDocument } from '../documents/results-document.js';
import type { PodCourses } from '../store/pod-courses.js';
import type { PodNames } from './pod-names.js';
import type { ServedFiles } from './served-files.js';

/**
 * Wraps the served files so that they hold names in place of the addresses of people and their Pods. No route can then
 * answer with such an address. Warnings and reasons are left out, because they can hold any address.
 */
export function withoutNames(files: ServedFiles, names: PodNames): ServedFiles {
  const { results, analyses, charts } = files;
  const documents = keptBy((document: ResultsDocument) => namelessDocument(document, names));
  const summaries = keptBy((summary: AnalysisSummary) => namelessSummary(summary, names));
  const courses = keptBy((all: PodCourses) => namelessCourses(all, names));
  const readLatest = async () => withDocument(await results.readLatest(), documents);
  /**
   * A client may have a name from before the last start. For an unknown name, the names of all known Pods are made
   * first.
   */
  const podIdOf = async (name: string): Promise<string | null> => {
    if (names.podIdOf(name) === null) {
      await readLatest();
      courses(await analyses.courses());
    }
    return names.podIdOf(name);
  };
  return {
    results: {
      readLatest,
      readRun: async (runId) => withDocument(await results.readRun(runId), documents),
      listRuns: () => results.listRuns(),
      hasLatest: () => results.hasLatest(),
    },
    analyses: {
      list: async () => (await analyses.list()).map(summaries),
      listRuns: () => analyses.listRuns(),
      courses: async () => courses(await analyses.courses()),
      async withPod(summary, name) {
        const podId = await podIdOf(name);
        const pod = podId === null ? null : (await analyses.withPod(summary, podId)).pod;
        return { ...summary, pod };
      },
    },
    charts: {
      async has(name) {
        const podId = await podIdOf(name);
        return podId !== null && (await charts.has(podId));
      },
      async read(name) {
        const podId = await podIdOf(name);
        return podId === null ? null : await charts.read(podId);
      },
      async readFigures(name) {
        const podId = await podIdOf(name);
        return podId === null ? { state: 'absent' } : await charts.readFigures(podId);
      },
    },
  };
}

/** Works out the result once for each object. The stores return the same object as long as nothing has changed. */
function keptBy<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>();
  return (from) => {
    const known = made.get(from);
    if (known !== undefined) return known;
    const fresh = make(from);
    made.set(from, fresh);
    return fresh;
  };
}

type Stored = Awaited<ReturnType<ServedFiles['results']['readLatest']>>;

function withDocument(
  stored: Stored,
  change: (document: ResultsDocument) => ResultsDocument,
): Stored {
  return stored.state === 'found' ? { ...stored, document: change(stored.document) } : stored;
}

function namelessDocument(document: ResultsDocument, names: PodNames): ResultsDocument {
  const { requested_by, pods, charts, sharing, warnings } = document;
  const { cohort_release } = sharing;
  const byWebId = new Map(pods.map(({ web_id, pod_id }) => [web_id, names.nameOf(pod_id)]));
  // If the document does not hold the caller's Pod, the name of the caller is made from the WebID. This name is stable
  // as well.
  const nameOfPerson = (webId: string) => byWebId.get(webId) ?? names.nameOf(webId);
  const count = countWarnings(warnings);
  return {
    ...document,
    requested_by: requested_by === null ? null : nameOfPerson(requested_by),
    // All lists are sorted by the names, because the order of the addresses would reveal whose name is whose.
    pods: pods
      .map((pod) => namelessPod(pod, names))
      .sort((one, other) => compare(one.pod_id, other.pod_id)),
    charts: {
      pods: Object.fromEntries(
        Object.keys(charts.pods)
          .map((podId) => names.nameOf(podId))
          .sort()
          .map((name) => [name, `${name}.png`]),
      ),
    },
    sharing: {
      ...sharing,
      ...(cohort_release !== undefined && {
        cohort_release: {
          ...cohort_release,
          withheld: cohort_release.withheld === null ? null : whyNotShown,
        },
      }),
      published: sharing.published
        .map((entry) => namelessEntry(entry, names, nameOfPerson))
        .sort(byKindAndName),
    },
    warnings:
      count === 0
        ? []
        : [
            `${countOf(count, 'warning')}, not shown here because they can name people (api.names).`,
          ],
  };
}

const whyNotShown = 'The mode release tells the operator why.';

function namelessPod(pod: PodEntry, names: PodNames): PodEntry {
  const name = names.nameOf(pod.pod_id);
  return { ...pod, pod_id: name, web_id: name, pod_root: name };
}

function namelessEntry(
  entry: PublishedEntry,
  names: PodNames,
  nameOfPerson: (webId: string) => string,
): PublishedEntry {
  const name = entry.kind === 'cohort-average' ? entry.pod_id : names.nameOf(entry.pod_id);
  const failures = Object.keys(entry.failures)
    .map(nameOfPerson)
    .sort()
    .map((person): [string, string] => [person, 'It did not arrive. The operator can see why.']);
  return {
    kind: entry.kind,
    pod_id: name,
    resource_url: name,
    recipients: entry.recipients.map(nameOfPerson).sort(),
    failures: Object.fromEntries(failures),
  };
}

/** Sorts the documents of the Pods first and the cohort document last, as in a document with addresses. */
function byKindAndName(one: PublishedEntry, other: PublishedEntry): number {
  const isLast = ({ kind }: PublishedEntry) => Number(kind === 'cohort-average');
  return isLast(one) - isLast(other) || compare(one.pod_id, other.pod_id);
}

function namelessSummary(summary: AnalysisSummary, names: PodNames): AnalysisSummary {
  const all = (podIds: readonly string[]) => podIds.map((podId) => names.nameOf(podId)).sort();
  const { joined, left, changed } = summary;
  return { ...summary, joined: all(joined), left: all(left), changed: all(changed) };
}

function namelessCourses({ since, courses, left }: PodCourses, names: PodNames): PodCourses {
  const named = <T>(all: ReadonlyMap<string, T>) =>
    Array.from(all, ([podId, told]): [string, T] => [names.nameOf(podId), told]).sort(
      ([one], [other]) => compare(one, other),
    );
  const byTime = named(left).sort(([, one], [, other]) => compare(one, other));
  return { since, courses: new Map(named(courses)), left: new Map(byTime) };
}
