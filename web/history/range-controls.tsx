import { RadioGroup } from '../components/radio-group.js';
import { type Preset, presets, type Range, writeDays, writePreset } from './choose-days.js';

const labels: Record<Preset, string> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  all: 'All',
};

interface RangeControlsProps {
  range: Range;
  onParams: (params: URLSearchParams) => void;
}

/** Which analyses the page is about: the newest days, or from one day to another. */
export function RangeControls({ range, onParams }: RangeControlsProps) {
  const { preset, from, to } = range;
  return (
    <search class="controls">
      <RadioGroup
        name="days"
        choices={presets}
        labels={labels}
        chosen={preset}
        onChoose={(days) => onParams(writePreset(days))}
      />
      <label class="day">
        <span>From (UTC)</span>
        <input
          type="date"
          value={from}
          onChange={(event) => onParams(writeDays(event.currentTarget.value, to))}
        />
      </label>
      <label class="day">
        <span>To and including</span>
        <input
          type="date"
          value={to}
          onChange={(event) => onParams(writeDays(from, event.currentTarget.value))}
        />
      </label>
    </search>
  );
}
