/** The figures of docs/decisions.md, computed anew: nothing here is taken from src/analysis. */
export const names = ['systolic', 'diastolic', 'heart_rate'] as const;
export type Name = (typeof names)[number];
export type Values = Record<Name, number | null>;

export interface Sums {
  readings: number;
  /** In hundredths. */
  measures: Record<Name, { sum: number; count: number }>;
}

export function perName<T>(value: (name: Name) => T): Record<Name, T> {
  return {
    systolic: value('systolic'),
    diastolic: value('diastolic'),
    heart_rate: value('heart_rate'),
  };
}

export const noValues: Values = perName(() => null);

export function sumUp(readings: readonly Values[]): Sums {
  const measures = perName((name) => {
    const values = readings.flatMap((reading) => reading[name] ?? []);
    const sum = values.reduce((all, one) => all + Math.round(one * 100), 0);
    return { sum, count: values.length };
  });
  return { readings: readings.length, measures };
}

export function isSame(one: Sums, other: Sums): boolean {
  const isEqual = (name: Name) =>
    one.measures[name].sum === other.measures[name].sum &&
    one.measures[name].count === other.measures[name].count;
  return one.readings === other.readings && names.every(isEqual);
}

export function averagesOf({ measures }: Sums): Values {
  return perName((name) => {
    const { sum, count } = measures[name];
    return count === 0 ? null : sum / count / 100;
  });
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** The average of the averages of all Pods with enough readings. */
export function averageOfAverages(counted: Iterable<Sums>, least: number): Values {
  const included = [...counted].filter(({ readings }) => readings >= least);
  return perName((name) => meanOf(included.flatMap((sums) => averagesOf(sums)[name] ?? [])));
}

export interface CohortFigures {
  average_of_averages: Values;
  pooled_average: Values;
}

/** What the readers with these roots may all be told; `counted` are the Pods that count, by root. */
export function tellable(
  counted: ReadonlyMap<string, Sums>,
  readers: readonly string[],
  { fewest, least }: { fewest: number; least: number },
): CohortFigures {
  const included = [...counted].filter(([, { readings }]) => readings >= least);
  const behind = perName((name) => included.filter(([, sums]) => sums.measures[name].count > 0));
  const others = (name: Name, reader: string) =>
    behind[name].filter(([root]) => root !== reader).length;
  const isTold = (name: Name) => {
    const pods = behind[name].length;
    if (pods === 0 || pods < fewest) return false;
    return pods > 1 || readers.every((reader) => others(name, reader) === 0);
  };
  const isPooledTold = (name: Name) =>
    isTold(name) && readers.every((reader) => others(name, reader) >= 3);
  const all = averageOfAverages(counted.values(), least);
  return {
    average_of_averages: perName((name) => (isTold(name) ? all[name] : null)),
    pooled_average: perName((name) => {
      const measures = behind[name].map(([, sums]) => sums.measures[name]);
      const total = (part: 'sum' | 'count') => measures.reduce((sum, one) => sum + one[part], 0);
      return isPooledTold(name) ? total('sum') / total('count') / 100 : null;
    }),
  };
}

/** Whether figures that were sent, and so rounded, are these. */
export function areSent(sent: Values, exact: Values): boolean {
  return names.every((name) => {
    const [one, other] = [sent[name], exact[name]];
    if (one === null || other === null) return one === other;
    return Math.abs(one - other) <= 0.005 + 1e-9;
  });
}

export function subsetsOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length }, (_, mask) =>
    items.filter((_item, index) => (mask >> index) % 2 === 1),
  ).reverse();
}
