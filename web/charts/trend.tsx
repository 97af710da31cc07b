import { useState } from 'preact/hooks';
import { measures } from '../format/measures.js';
import type { HistoryRun } from '../history/history-entry.js';
import { TrendPanel } from './trend-panel.js';
import { useWidth } from './use-width.js';

/** One panel per measure over the same time; pointing at one reads all three at that run. */
export function Trend({ runs }: { runs: readonly HistoryRun[] }) {
  const [box, width] = useWidth();
  const [pointed, setPointed] = useState<HistoryRun | null>(null);
  return (
    <div class="trends" ref={box}>
      {measures.map((measure) => (
        <TrendPanel
          key={measure.name}
          measure={measure}
          runs={runs}
          width={width}
          pointed={pointed}
          onPoint={setPointed}
        />
      ))}
    </div>
  );
}
