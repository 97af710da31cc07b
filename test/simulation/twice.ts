import type { Act, Deed, Plan, Step } from './plan.js';

/** Ways to play a history twice. */

const nothingElse = { trouble: { faults: [], crash: null }, cancels: [], disk: null };

/**
 * Without what meets a request by its number, which is another one when strangers are there, and without noise, which is
 * drawn from the same chance as all else.
 */
export function withDeeds(plan: Plan, areThere: boolean): Plan {
  const deedsOf = ({ deeds }: Step): Deed[] => (areThere ? deeds : []);
  const steps = plan.steps.map((step) => ({
    ...step,
    ...nothingElse,
    sharing: exact(step.sharing),
    deeds: deedsOf(step),
  }));
  return { ...plan, sharing: exact(plan.sharing), steps };
}

function exact({ cohort_release: _release, ...sharing }: Plan['sharing']): Plan['sharing'] {
  return sharing;
}

/**
 * The first two do the same at the same time, each with readings of their own; `isSwapped`: with those of the other.
 * What meets a request of one of them alone tells them apart, so nothing does.
 */
export function mirrored(plan: Plan, isSwapped: boolean): Plan {
  const isTwin = (who: number) => who < 2;
  const readingsOf = (who: number, readings: Act['readings']) =>
    (who === 1) === isSwapped ? readings : readings.map(shifted);
  const [first = [], , ...others] = plan.first;
  const [layout = 'files', , ...layouts] = plan.layouts;
  return {
    ...plan,
    layouts: [layout, layout, ...layouts],
    first: [
      first.map((readings) => readingsOf(0, readings)),
      first.map((readings) => readingsOf(1, readings)),
      ...others,
    ],
    steps: plan.steps.map((step) => ({
      ...step,
      trouble: { ...step.trouble, faults: [] },
      acts: step.acts.flatMap((act) =>
        isTwin(act.who)
          ? [0, 1].map((who) => ({ ...act, who, readings: readingsOf(who, act.readings) }))
          : [act],
      ),
    })),
  };
}

/** Within the limits of what is plausible, and in as many digits. */
function shifted({ systolic, diastolic, heart_rate }: Act['readings'][number]) {
  const by = (value: number, shift: number) => Math.round((value + shift) * 100) / 100;
  return {
    systolic: by(systolic, 17.31),
    diastolic: by(diastolic, 11.13),
    heart_rate: heart_rate === null ? null : by(heart_rate, 9.57),
  };
}
