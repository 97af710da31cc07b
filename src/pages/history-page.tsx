import { measureNames, units } from '../analysis/reading.js';
import { measureTitles } from '../chart/chart-words.js';
import { ScrollArea, Section } from './blocks.js';
import { chooseDays, presets, type Range, readRange, standard } from './choose-days.js';
import { Trend } from './drawings/trend.js';
import type { PageAddress } from './page-address.js';
import { type History, warningsOf } from './stored-analyses.js';
import { average, counted, number, second } from './words.js';

/** On one page, with the newest first; for others somebody chooses days. */
const MOST_ROWS = 500;

/** The cohort's averages from analysis to analysis, of the days that the query says. */
export function HistoryPage({ history, address }: { history: History; address: PageAddress }) {
  const range = readRange(address.query, history[0]?.generated_at ?? null);
  const chosen = chooseDays(history, range);
  const count = counted(chosen.length, 'analysis', 'analyses');
  return (
    <>
      <Controls range={range} address={address} />
      <Section
        title="Cohort averages"
        hint="The line is the average of averages, the band one spread between Pods to either side. Callers who shared an analysis are one point."
      >
        {chosen.length < 2 ? (
          <p class="muted">The course appears from the second analysis on.</p>
        ) : (
          <Trend history={chosen} address={address} />
        )}
      </Section>
      <Section
        title="Analyses"
        hint={`${count} in these days, the newest first${chosen.length > MOST_ROWS ? `; ${MOST_ROWS} are shown, all are in the CSV` : ''}.`}
      >
        {chosen.length > 0 && (
          <>
            <ScrollArea label="Analyses">
              <Table history={chosen.slice(0, MOST_ROWS)} address={address} />
            </ScrollArea>
            <p class="more">
              <a class="button" href={`${address.root}history.csv?${toQuery(range)}`}>
                CSV of {count}
              </a>
            </p>
          </>
        )}
      </Section>
    </>
  );
}

function toQuery({ preset, from, to }: Range): string {
  return new URLSearchParams(preset === null ? { from, to } : { days: preset }).toString();
}

function Controls({
  range: { preset, from, to },
  address,
}: {
  range: Range;
  address: PageAddress;
}) {
  const refresh = address.query.get('refresh');
  return (
    <search>
      <form class="controls" action={address.here({ days: null, from: null, to: null })}>
        {refresh !== null && <input type="hidden" name="refresh" value={refresh} />}
        <nav class="presets" aria-label="Days">
          {presets.map((days) => (
            <a
              href={address.here({ days: days === standard ? null : days, from: null, to: null })}
              aria-current={days === preset ? 'true' : undefined}
            >
              {days === 'all' ? 'All' : `${days} days`}
            </a>
          ))}
        </nav>
        <label>
          <span>From (UTC)</span>
          <input type="date" name="from" value={from} />
        </label>
        <label>
          <span>To and including</span>
          <input type="date" name="to" value={to} />
        </label>
        <button type="submit">Show</button>
      </form>
    </search>
  );
}

function Table({ history, address }: { history: History; address: PageAddress }) {
  return (
    <table>
      <caption class="visually-hidden">Analyses with their cohort averages</caption>
      <thead>
        <tr>
          <th scope="col">Analysis</th>
          {measureNames.map((name) => (
            <th scope="col">
              {measureTitles[name]}
              <small>{units[name]}</small>
            </th>
          ))}
          <th scope="col">Pods</th>
          <th scope="col">Readings</th>
          <th scope="col">Warnings</th>
        </tr>
      </thead>
      <tbody>
        {history.map(({ generated_at, cohort, runs }) => (
          <tr>
            <th scope="row">
              <a href={`${address.root}runs/${runs[0]?.run_id ?? ''}`}>{second(generated_at)}</a>
              {runs.length > 1 && <Runs runs={runs} address={address} />}
            </th>
            {measureNames.map((name) => (
              <td>{average(cohort.average_of_averages[name])}</td>
            ))}
            <td>
              {number(cohort.included_pod_count)}{' '}
              <span class="muted">of {number(cohort.pod_count)}</span>
            </td>
            <td>{number(cohort.observation_count)}</td>
            <td>{number(warningsOf(runs))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Callers who shared an analysis have a run each. */
function Runs({ runs, address }: { runs: History[number]['runs']; address: PageAddress }) {
  return (
    <details>
      <summary class="muted">{counted(runs.length, 'run')}</summary>
      <ul class="plain">
        {runs.map(({ run_id }) => (
          <li>
            <a href={`${address.root}runs/${run_id}`}>{run_id}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
