interface RadioGroupProps<Choice extends string> {
  /** By which the browser knows what belongs together. */
  name: string;
  /** In the order shown. */
  choices: readonly Choice[];
  labels: Readonly<Record<Choice, string>>;
  /** Null while none of them is chosen. */
  chosen: Choice | null;
  onChoose: (choice: Choice) => void;
}

/** What the page shows: a few choices side by side, of which one holds. */
export function RadioGroup<Choice extends string>({
  name,
  choices,
  labels,
  chosen,
  onChoose,
}: RadioGroupProps<Choice>) {
  return (
    <fieldset>
      <legend>Show</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={name}
            value={choice}
            checked={choice === chosen}
            onChange={() => onChoose(choice)}
          />
          <span>{labels[choice]}</span>
        </label>
      ))}
    </fieldset>
  );
}
