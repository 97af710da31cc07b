import { expect, test } from 'vitest';
import { concludedOf, fileWith, podOfFiles, webIdOf } from '../../../test/support/concluded.js';
import type { ChartPlan } from '../../chart/chart-plan.js';
import { drawPicture } from './draw-picture.js';

const noise = { cohort_release: { epsilon: 1, every_days: 1, budget: 12 } };
const reading = { time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 };

/** The Pod of Anna beside two others, and what she is told. */
function annas({ readings = [reading], sharing = {} } = {}) {
  const file = { ...fileWith({}, Buffer.from('anna')), readings };
  const pods = ['ben', 'cleo'].map((name, nth) =>
    podOfFiles(name, [fileWith({ systolic: 123 + 3 * nth }, Buffer.from(name))]),
  );
  const { results } = concludedOf([podOfFiles('anna', [file]), ...pods], { sections: { sharing } });
  const [pod] = results.conclusion.contributors;
  if (pod === undefined) throw new Error('Anna shares something.');
  return { pod, told: results.conclusion.told };
}

test.each([{}, noise])(
  '[5.9] a picture shows the figures that its owner is told: %j',
  async (sharing) => {
    const { pod, told } = annas({ sharing });
    const plans: ChartPlan[] = [];
    const draw = (plan: ChartPlan) => {
      plans.push(plan);
      return Promise.resolve(Buffer.from('drawn'));
    };
    const period = { from: '2026-01-01', until: null };
    expect(await drawPicture(draw, pod, { told, period })).toEqual({
      png: Buffer.from('drawn'),
      warning: null,
    });
    const { average_of_averages: cohort } = told.disclose([pod.owner.root]);
    expect(plans).toMatchObject([
      { own: { systolic: 120, diastolic: 80, heart_rate: 60 }, cohort, readingCount: 1, period },
    ]);
    expect(cohort.systolic).not.toBeNull();
    expect(plans[0]?.noise.systolic).toEqual(told.release?.noise?.systolic ?? null);
  },
);

test('what may not be told is not drawn', async () => {
  const { pod, told } = annas({ sharing: { share_cohort_average: false } });
  const plans: ChartPlan[] = [];
  const draw = (plan: ChartPlan) => Promise.resolve(Buffer.from(String(plans.push(plan))));
  await drawPicture(draw, pod, { told, period: null });
  expect(plans).toMatchObject([{ cohort: { systolic: null, diastolic: null, heart_rate: null } }]);
});

test('without readings, and with charts off, there is no picture, and no warning', async () => {
  const draw = () => Promise.reject(new Error('Nothing is to be drawn.'));
  const none = { png: null, warning: null };
  const [some, empty] = [annas(), annas({ readings: [] })];
  expect(await drawPicture(null, some.pod, { told: some.told, period: null })).toEqual(none);
  expect(await drawPicture(draw, empty.pod, { told: empty.told, period: null })).toEqual(none);
});

test('whose picture could not be drawn is told', async () => {
  const { pod, told } = annas();
  const draw = () => Promise.reject(new Error('There is no font.'));
  expect(await drawPicture(draw, pod, { told, period: null })).toEqual({
    png: null,
    warning: `${webIdOf('anna')}: There is no font.`,
  });
});
