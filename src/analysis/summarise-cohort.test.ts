import { describe, expect, test } from 'vitest';
import { discloseCohort } from './cohort-disclosure.js';
import type { Reading } from './reading.js';
import { summariseCohort } from './summarise-cohort.js';
import { type CountedSums, countedSums, sumReadings } from './sums.js';

type Row = [systolic: number, diastolic: number, heartRate: number | null];

function pod(...rows: Row[]): CountedSums {
  const readings = rows.map(
    ([systolic, diastolic, heart_rate]): Reading => ({
      time: 0,
      offset: 0,
      systolic,
      diastolic,
      heart_rate,
    }),
  );
  const plausible = { systolic: [40, 300], diastolic: [20, 200], heart_rate: [20, 250] } as const;
  const rules = { now: 0, windowDays: null, period: null, plausible };
  return countedSums(sumReadings({ readings, incomplete: 0 }, rules).sums);
}

const nothing = { systolic: null, diastolic: null, heart_rate: null };
/** Averages 110/70/50, 120/80/none, 140/80/70. */
const alice = pod([100, 70, 50], [110, 70, null], [120, 70, 50]);
const bob = pod([120, 80, null]);
const carol = pod([140, 70, 60], [140, 90, 80]);

describe('The cohort', () => {
  test('[5.7] weights every Pod equally in one figure and every reading equally in the other', () => {
    const cohort = summariseCohort([alice, bob, carol], 1);
    expect(cohort).toMatchObject({ pod_count: 3, included_pod_count: 3, observation_count: 6 });
    // (110 + 120 + 140) / 3, (70 + 80 + 80) / 3, (50 + 70) / 2.
    expect(cohort.average_of_averages.systolic).toBe(123.33);
    expect(cohort.average_of_averages.diastolic).toBe(76.67);
    expect(cohort.average_of_averages.heart_rate).toBe(60);
    // (330 + 120 + 280) / 6, (210 + 80 + 160) / 6, (100 + 140) / 4.
    expect(cohort.pooled_average.systolic).toBe(121.67);
    expect(cohort.pooled_average.diastolic).toBe(75);
    expect(cohort.pooled_average.heart_rate).toBe(60);
    // Deviations of the averages: -40/3, -10/3, 50/3, so a variance of 1400/9.
    expect(cohort.spread_of_averages.systolic).toBe(12.47);
    expect(cohort.spread_of_averages.diastolic).toBe(4.71);
    expect(cohort.spread_of_averages.heart_rate).toBe(10);
  });

  test('[5.7] leaves out a Pod below the minimum, and still counts it as read', () => {
    const cohort = summariseCohort([alice, bob, carol], 2);
    expect(cohort).toMatchObject({ pod_count: 3, included_pod_count: 2, observation_count: 5 });
    expect(cohort.average_of_averages).toEqual({ systolic: 125, diastolic: 75, heart_rate: 60 });
    expect(cohort.pooled_average.systolic).toBe(122);
    expect(cohort.spread_of_averages).toEqual({ systolic: 15, diastolic: 5, heart_rate: 10 });
  });

  test('never includes a Pod without readings', () => {
    expect(summariseCohort([pod(), bob], 1)).toMatchObject({ pod_count: 2, included_pod_count: 1 });
  });

  test('[5.12] is rounded once, at the end', () => {
    const twoThirds = pod([100, 70, null], [101, 70, null], [101, 70, null]);
    // (302 / 3 + 302 / 3 + 100) / 3; of 100.67 twice it would be 100.45.
    const cohort = summariseCohort([twoThirds, twoThirds, pod([100, 70, null])], 1);
    expect(cohort.average_of_averages.systolic).toBe(100.44);
  });

  test('has no figures without Pods', () => {
    expect(summariseCohort([], 1)).toEqual({
      pod_count: 0,
      included_pod_count: 0,
      observation_count: 0,
      average_of_averages: nothing,
      pooled_average: nothing,
      spread_of_averages: nothing,
    });
  });

  test('[5.12] is the same to the last bit in any order of the Pods', () => {
    const pods = [0.1, 0.2, 0.3, 0.7].map((tenths) => pod([100 + tenths, 70 + tenths, null]));
    expect(summariseCohort(pods.toReversed(), 1)).toEqual(summariseCohort(pods, 1));
  });
});

describe('What of the cohort is told', () => {
  function disclose(
    pods: Record<string, CountedSums>,
    recipients: string[],
    { minimumObservations = 1, minimumCohortPods = 0 } = {},
  ) {
    return discloseCohort(
      summariseCohort(Object.values(pods), minimumObservations),
      new Map(Object.entries(pods)),
      recipients,
      { minimumObservations, minimumCohortPods },
    );
  }

  test('are the figures that rest on several Pods, and no spread', () => {
    expect(disclose({ alice, carol }, ['alice'])).toEqual({
      average_of_averages: { systolic: 125, diastolic: 75, heart_rate: 60 },
      pooled_average: nothing,
    });
  });

  test('[5.8] has the average of all readings only where three other Pods are behind it', () => {
    const dave = pod([120, 70, 60]);
    const four = { alice, bob, carol, dave };
    // Heart rate has three Pods: two others for alice, three for bob.
    expect(disclose(four, ['alice']).pooled_average).toEqual({
      systolic: 121.43,
      diastolic: 74.29,
      heart_rate: null,
    });
    expect(disclose(four, ['bob']).pooled_average.heart_rate).toBe(60);
    expect(disclose(four, ['alice', 'bob']).pooled_average.heart_rate).toBeNull();
    expect(disclose({ alice, bob, carol }, ['alice']).pooled_average).toEqual(nothing);
  });

  test('[5.8] is nothing for nobody: a figure needs a reader who may see it', () => {
    const dave = pod([120, 70, 60]);
    const untold = { average_of_averages: nothing, pooled_average: nothing };
    expect(disclose({ alice, bob, carol, dave }, [])).toEqual(untold);
    expect(disclose({ alice }, [])).toEqual(untold);
  });

  test('[5.8] is not the average of one other Pod, beside which the recipient is not included', () => {
    expect(disclose({ alice, bob }, ['bob'], { minimumObservations: 2 })).toEqual({
      average_of_averages: nothing,
      pooled_average: nothing,
    });
  });

  test('[5.8] is judged measure by measure', () => {
    const toBob = disclose({ alice, bob }, ['bob']);
    expect(toBob.average_of_averages).toEqual({ systolic: 115, diastolic: 75, heart_rate: null });
    expect(disclose({ alice, bob }, ['alice']).average_of_averages.heart_rate).toBe(50);
  });

  test('[5.8] is in a document for several what each of them may see', () => {
    expect(disclose({ alice, bob }, ['alice', 'bob']).average_of_averages).toEqual({
      systolic: 115,
      diastolic: 75,
      heart_rate: null,
    });
    const alone = disclose({ alice, bob }, ['alice', 'bob'], { minimumObservations: 2 });
    expect(alone.average_of_averages).toEqual(nothing);
  });

  test('[5.14] is nothing below minimum_cohort_pods, counted per measure', () => {
    const three = { alice, bob, carol };
    const figures = disclose(three, ['alice'], { minimumCohortPods: 3 }).average_of_averages;
    expect(figures.systolic).toBe(123.33);
    expect(figures.heart_rate).toBeNull();
    expect(disclose(three, ['alice'], { minimumCohortPods: 4 })).toEqual({
      average_of_averages: nothing,
      pooled_average: nothing,
    });
    expect(disclose({ alice }, ['alice'], { minimumCohortPods: 2 }).average_of_averages).toEqual(
      nothing,
    );
  });
});
