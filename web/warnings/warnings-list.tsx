import { useEffect, useMemo, useState } from 'preact/hooks';
import { countWarnings } from '../../src/documents/count-warnings.js';
import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import { MoreButton } from '../components/more-button.js';
import { countOf, formatCount } from '../format/format-number.js';
import { splitPodId } from '../pods/pod-name.js';
import { groupWarnings, hole, type WarningGroup } from './group-warnings.js';
import { type Piece, splitAddresses } from './split-addresses.js';

const step = 50;

interface WarningsListProps {
  results: ResultsDocument;
  /** The page of a Pod. */
  linkTo: (podId: string) => string;
}

/** What a run skipped and why, one line per kind that opens to the warnings themselves. */
export function WarningsList({ results, linkTo }: WarningsListProps) {
  const groups = useMemo(
    () =>
      groupWarnings(
        results.warnings,
        results.pods.map((pod) => pod.pod_id),
      ),
    [results],
  );
  const total = countWarnings(results.warnings);
  const hint =
    total === 0
      ? 'Nothing was skipped in this run.'
      : `${countOf(total, 'warning')} of ${countOf(groups.length, 'kind')}. What the run left out, and why.`;
  return (
    <>
      <p class="lead">{hint}</p>
      {groups.map((group) => (
        <Group key={group.kind} group={group} pods={results.pods} linkTo={linkTo} />
      ))}
    </>
  );
}

interface GroupProps {
  group: WarningGroup;
  pods: readonly PodEntry[];
  linkTo: (podId: string) => string;
}

function Group({ group, pods, linkTo }: GroupProps) {
  const { kind, texts, count } = group;
  const [shown, setShown] = useState(step);
  const [open, setOpen] = useState(false);
  return (
    <details class="warnings" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="kind">{kind}</span>
        <span class="count">{formatCount(count)}</span>
      </summary>
      {open && <Advice warning={texts[0] ?? ''} />}
      <ul>
        {texts.slice(0, shown).map((text, index) => (
          <li key={index}>
            <Warning pieces={piecesOf(text, kind, pods)} linkTo={linkTo} />
          </li>
        ))}
      </ul>
      <MoreButton
        shown={Math.min(shown, texts.length)}
        total={texts.length}
        step={step}
        what="warnings"
        onMore={() => setShown(shown + step)}
      />
    </details>
  );
}

/** What to do, once for all warnings of a kind. It comes apart from the page, for those who read it. */
function Advice({ warning }: { warning: string }) {
  const [advice, setAdvice] = useState<string | null>(null);
  useEffect(() => {
    void import('./cures.js').then(({ cureOf }) => setAdvice(cureOf(warning)));
  }, [warning]);
  return advice === null ? null : <p class="advice">{advice}</p>;
}

/** Where the heading says the whole sentence, only what it is about. */
function piecesOf(text: string, kind: string, pods: readonly PodEntry[]): readonly Piece[] {
  const pieces = splitAddresses(text, pods);
  const [first] = pieces;
  return typeof first === 'object' && !kind.includes(hole) ? [first] : pieces;
}

interface WarningProps {
  pieces: readonly Piece[];
  linkTo: (podId: string) => string;
}

function Warning({ pieces, linkTo }: WarningProps) {
  return (
    <>
      {pieces.map((piece, index) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <span key={index}>
            <a href={linkTo(piece.pod.pod_id)}>{splitPodId(piece.pod).name}</a>
            {piece.path !== '' && ` ${piece.path}`}
          </span>
        ),
      )}
    </>
  );
}
