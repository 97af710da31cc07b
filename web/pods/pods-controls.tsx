import { RadioGroup } from '../components/radio-group.js';
import { type Arrangement, type PodFilter, podFilters } from './arrange-pods.js';

const labels: Record<PodFilter, string> = {
  all: 'All',
  included: 'In the averages',
  'left-out': 'Left out',
};

interface PodsControlsProps {
  arrangement: Arrangement;
  onChange: (part: Partial<Arrangement>) => void;
}

export function PodsControls({ arrangement, onChange }: PodsControlsProps) {
  return (
    <search class="controls">
      <label>
        <span>Find a Pod</span>
        <input
          type="search"
          value={arrangement.text}
          placeholder="Name or WebID"
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
        />
      </label>
      <RadioGroup
        name="show"
        choices={podFilters}
        labels={labels}
        chosen={arrangement.filter}
        onChoose={(filter) => onChange({ filter })}
      />
    </search>
  );
}
