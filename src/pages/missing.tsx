import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import { Facts, Section } from './blocks.js';
import { splitPodId } from './pod-name.js';
import { standingOf } from './standing.js';
import { moment, number } from './words.js';

export interface RunAndBefore {
  results: ResultsDocument;
  /** The run before; null where there is none that can be read. */
  before: ResultsDocument | null;
}

interface Group {
  reason: string;
  pods: readonly PodRecord[];
  remark: (pod: PodRecord) => string;
  table: string;
}

export function Missing(props: RunAndBefore) {
  const groups = groupsOf(props).filter(({ pods }) => pods.length > 0);
  return (
    <Section title="Who is missing">
      {groups.length === 0 ? (
        <p>Nobody: every Pod that was read counts, with all that it shared.</p>
      ) : (
        <Facts rows={groups.map((group) => [group.reason, <Names {...group} />])} />
      )}
    </Section>
  );
}

function groupsOf({ results, before }: RunAndBefore): Group[] {
  const { run_id, pods, analysis } = results;
  const there = new Set(pods.map(({ pod_id }) => pod_id));
  const stand = (state: ReturnType<typeof standingOf>['state']) =>
    pods.filter((pod) => standingOf(pod, analysis).state === state);
  const how = (pod: PodRecord) => standingOf(pod, analysis).why;
  const table = `/runs/${run_id}/pods`;
  return [
    {
      reason: `In the run of ${moment(before?.generated_at ?? null)}, and not in this one`,
      pods: before?.pods.filter(({ pod_id }) => !there.has(pod_id)) ?? [],
      remark: () => '',
      table: `/runs/${before?.run_id}/pods`,
    },
    { reason: 'Left out of the averages', pods: stand('out'), remark: how, table },
    {
      reason: 'With earlier figures, as not everything could be read',
      pods: stand('carried'),
      remark: how,
      table,
    },
    {
      reason: 'With files that could not be read',
      pods: pods.filter(({ files_skipped }) => files_skipped > 0),
      remark: ({ files_skipped: skipped, files_read }) =>
        `${number(skipped)} of ${number(skipped + files_read)}`,
      table,
    },
  ];
}

const MOST_NAMES = 12;

function Names({ pods, remark, table }: Group) {
  const more = pods.length - MOST_NAMES;
  return (
    <ul class="list">
      {pods.slice(0, MOST_NAMES).map((pod) => {
        const told = remark(pod);
        return (
          <li>
            <a href={`${table}/${encodeURIComponent(pod.pod_id)}`}>
              <bdi>{splitPodId(pod).name}</bdi>
            </a>
            {told !== '' && <span class="muted"> {told}</span>}
          </li>
        );
      })}
      {more > 0 && (
        <li>
          <a href={table}>and {number(more)} more</a>
        </li>
      )}
    </ul>
  );
}
