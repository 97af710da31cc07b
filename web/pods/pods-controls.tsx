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
      <fieldset>
        <legend>Show</legend>
        {podFilters.map((filter) => (
          <label key={filter}>
            <input
              type="radio"
              name="show"
              value={filter}
              checked={arrangement.filter === filter}
              onChange={() => onChange({ filter })}
            />
            <span>{labels[filter]}</span>
          </label>
        ))}
      </fieldset>
    </search>
  );
}
