import { describeProblem, type Problem } from '../api/problem.js';
import { Notice } from './notice.js';

interface ProblemNoticeProps {
  title: string;
  problem: Problem;
  /** What else the reader should know, as a sentence. */
  also?: string | undefined;
}

export function ProblemNotice({ title, problem, also }: ProblemNoticeProps) {
  return (
    <Notice title={title} problem>
      <p>{describeProblem(problem)}</p>
      <p class="muted">{also} This page tries again every five seconds.</p>
    </Notice>
  );
}
