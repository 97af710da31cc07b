import { units } from '../analysis/reading.js';
import { measureTitles } from '../chart/chart-words.js';
import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import {
  type Arrangement,
  arrangePods,
  type Column,
  columns,
  type Filter,
  filters,
  readArrangement,
} from './arrange-pods.js';
import { ScrollArea } from './blocks.js';
import type { PageAddress } from './page-address.js';
import { commonHost, PodLabel } from './pod-name.js';
import { average, counted, dayOf, number, readingDay } from './words.js';

const titles: Readonly<Record<Column, { title: string; unit?: string }>> = {
  pod: { title: 'Pod' },
  systolic: { title: measureTitles.systolic, unit: units.systolic },
  diastolic: { title: measureTitles.diastolic, unit: units.diastolic },
  heart_rate: { title: measureTitles.heart_rate, unit: units.heart_rate },
  readings: { title: 'Readings' },
  files: { title: 'Files skipped' },
  last: { title: 'Last reading' },
  included: { title: 'In averages' },
};

const filterTitles: Readonly<Record<Filter, string>> = {
  all: 'All',
  included: 'In the averages',
  earlier: 'With earlier figures',
  'left-out': 'Left out',
};

/** On one page. A thousand rows are 300 kB. */
const MOST_ROWS = 1000;

/** The Pods of a run, sorted and chosen as the query says. */
export function PodsPage({ results, address }: { results: ResultsDocument; address: PageAddress }) {
  const { pods } = results;
  const arrangement = readArrangement(address.query);
  const arranged = arrangePods(pods, arrangement);
  const from = Math.max(0, Number(address.query.get('from')) || 0);
  const shown = arranged.slice(from, from + MOST_ROWS);
  const host = commonHost(pods);
  return (
    <>
      <Controls arrangement={arrangement} address={address} />
      <p class="muted">
        {arranged.length !== pods.length && `${number(arranged.length)} of `}
        {counted(pods.length, 'Pod')}
        {host !== '' && `, all on ${host.replace(/-$/, '')}`}
        {shown.length < arranged.length &&
          `; shown are ${number(from + 1)} to ${number(from + shown.length)}`}
      </p>
      {shown.length > 0 && (
        <ScrollArea label="Pods">
          <table class="pods-table">
            <caption class="visually-hidden">
              Pods with their averages. The links in the column headings sort.
            </caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <ColumnHead column={column} arrangement={arrangement} address={address} />
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((pod) => (
                <PodRow pod={pod} knownHost={host} address={address} />
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <p class="more">
        {arranged.length > 0 && (
          <a class="button" href={`${address.run}pods.csv${searchOf(address)}`}>
            CSV of {counted(arranged.length, 'Pod')}
          </a>
        )}
        {from > 0 && <a href={address.here({ from: turn(from - MOST_ROWS) })}>The ones before</a>}
        {from + shown.length < arranged.length && (
          <a href={address.here({ from: turn(from + MOST_ROWS) })}>The next ones</a>
        )}
      </p>
    </>
  );
}

function turn(from: number): string | null {
  return from <= 0 ? null : String(from);
}

function searchOf({ query }: PageAddress): string {
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function Controls({ arrangement, address }: { arrangement: Arrangement; address: PageAddress }) {
  const [sort, refresh] = [address.query.get('sort'), address.query.get('refresh')];
  return (
    <search>
      <form class="controls" action={address.here({ q: null, show: null, from: null })}>
        {sort !== null && <input type="hidden" name="sort" value={sort} />}
        {refresh !== null && <input type="hidden" name="refresh" value={refresh} />}
        <label class="find">
          <span>Find a Pod</span>
          <input
            type="search"
            name="q"
            value={arrangement.text}
            placeholder="Name or WebID"
            autoComplete="off"
            spellcheck={false}
          />
        </label>
        <label>
          <span>Show</span>
          <select name="show">
            {filters.map((filter) => (
              <option value={filter} selected={filter === arrangement.filter}>
                {filterTitles[filter]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Show</button>
      </form>
    </search>
  );
}

interface ColumnHeadProps {
  column: Column;
  arrangement: Arrangement;
  address: PageAddress;
}

function ColumnHead({ column, arrangement, address }: ColumnHeadProps) {
  const { title, unit } = titles[column];
  const sorted = arrangement.column === column;
  const order = sorted ? (arrangement.descending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={order}>
      <a href={address.here({ sort: order === 'ascending' ? `-${column}` : column, from: null })}>
        <span>
          {title}
          {unit !== undefined && <small>{unit}</small>}
        </span>
        <svg class="arrow" viewBox="0 0 10 14" aria-hidden="true">
          <path class="up" d="M5 1 9 6H1Z" />
          <path class="down" d="M5 13 1 8h8Z" />
        </svg>
      </a>
    </th>
  );
}

interface PodRowProps {
  pod: PodRecord;
  knownHost: string;
  address: PageAddress;
}

function PodRow({ pod, knownHost, address }: PodRowProps) {
  const { measures, observation_count, files_read, files_skipped, last_observation } = pod;
  return (
    <tr>
      <th scope="row">
        <a href={`${address.run}pods/${encodeURIComponent(pod.pod_id)}`}>
          <PodLabel pod={pod} knownHost={knownHost} />
        </a>
      </th>
      <td>{average(measures.systolic.average)}</td>
      <td>{average(measures.diastolic.average)}</td>
      <td>{average(measures.heart_rate.average)}</td>
      <td>{number(observation_count)}</td>
      <td>
        {number(files_skipped)} <span class="muted">of {number(files_read + files_skipped)}</span>
      </td>
      <td>{readingDay(last_observation)}</td>
      <td>{describeStanding(pod)}</td>
    </tr>
  );
}

function describeStanding({ carried, included_in_cohort }: PodRecord): string {
  if (!included_in_cohort) return 'Left out';
  return carried === undefined ? 'Yes' : `Of ${dayOf(carried.from)}`;
}
