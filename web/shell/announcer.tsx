import { useEffect, useRef, useState } from 'preact/hooks';
import { describeProblem } from '../api/problem.js';
import { formatTime } from '../format/format-time.js';
import type { Live } from '../live/live.js';

/** Tells a screen reader what changed on its own: new results, a problem, its end. */
export function Announcer({ live }: { live: Live }) {
  const [text, setText] = useState('');
  const before = useRef(live);
  useEffect(() => {
    const { results, problem } = before.current;
    before.current = live;
    if (live.problem !== null && live.problem.kind !== problem?.kind) {
      setText(describeProblem(live.problem));
    } else if (live.problem === null && problem !== null) {
      setText('The HTTP API answers again.');
    }
    if (live.results !== null && live.tick > 1 && live.results.run_id !== results?.run_id) {
      setText(`New results: run of ${formatTime(live.results.generated_at)}.`);
    }
  }, [live]);
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
