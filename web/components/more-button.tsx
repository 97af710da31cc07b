import { formatCount } from '../format/format-number.js';

interface MoreButtonProps {
  shown: number;
  total: number;
  step: number;
  /** What is being shown, in the plural. */
  what: string;
  onMore: () => void;
}

export function MoreButton({ shown, total, step, what, onMore }: MoreButtonProps) {
  if (shown >= total) return null;
  return (
    <p class="more">
      <button type="button" onClick={onMore}>
        Show {formatCount(Math.min(step, total - shown))} more
      </button>
      <span class="muted">
        {formatCount(shown)} of {formatCount(total)} {what}
      </span>
    </p>
  );
}
