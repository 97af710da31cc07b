import { useMemo, useState } from 'preact/hooks';
import { isPodsNews } from '../api/guards.js';
import { describeProblem } from '../api/problem.js';
import { useAnswer } from '../api/use-answer.js';
import { Loading } from '../components/loading.js';
import { MoreButton } from '../components/more-button.js';
import { ScrollArea } from '../components/scroll-area.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { CsvButton } from '../csv/csv-button.js';
import { comingsAsCsv } from '../csv/tables.js';
import { comingsOf, type PodsNews } from './comings.js';

const step = 20;

/** Who joined and who left, by date; of the newest run alone. */
export function ComingsSection({ runId }: { runId: string }) {
  const answer = useAnswer('api/pods', isPodsNews, 0, runId);
  return (
    <Section title="Joined and left" hint={answer?.ok === true ? hintOf(answer.value) : undefined}>
      {answer === null && <Loading what="who joined and left" />}
      {answer?.ok === false && <p class="muted">{describeProblem(answer.problem)}</p>}
      {answer?.ok === true && <Comings news={answer.value} />}
    </Section>
  );
}

function hintOf({ since }: PodsNews) {
  if (since === null) return undefined;
  return (
    <>
      As far back as analyses are stored: <TimeText iso={since} />.
    </>
  );
}

function Comings({ news }: { news: PodsNews }) {
  const [limit, setLimit] = useState(step);
  const all = useMemo(() => comingsOf(news), [news]);
  const shown = all.slice(0, limit);
  if (all.length === 0) return <p class="muted">Nobody joined or left since.</p>;
  return (
    <>
      <ScrollArea label="Joined and left">
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Change</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at, podId, what }) => (
              <tr key={`${at} ${podId}`}>
                <th scope="row">{podId}</th>
                <td>{what}</td>
                <td>
                  <TimeText iso={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p class="more">
        <CsvButton
          what="who joined and left"
          fileName="joined-and-left.csv"
          content={() => comingsAsCsv(news)}
        />
      </p>
      <MoreButton
        shown={shown.length}
        total={all.length}
        step={step}
        what="changes"
        onMore={() => setLimit(limit + step)}
      />
    </>
  );
}
