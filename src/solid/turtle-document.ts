/** `type` is the datatype of a literal that is no plain string, or its language after an `@`. */
export type TurtleObject = { literal: string; type?: string } | { link: string };

/** Addresses are absolute, and blank nodes are named `_:…`. */
export interface Triple {
  subject: string;
  predicate: string;
  object: TurtleObject;
}

/** The statements of one document, by subject and predicate. */
export class TurtleDocument {
  readonly #objects = new Map<string, Map<string, TurtleObject[]>>();

  constructor(readonly url: string) {}

  add({ subject, predicate, object }: Triple): void {
    const predicates = this.#objects.get(subject) ?? new Map<string, TurtleObject[]>();
    this.#objects.set(subject, predicates);
    const objects = predicates.get(predicate);
    if (objects === undefined) predicates.set(predicate, [object]);
    else objects.push(object);
  }

  subjects(): Iterable<string> {
    return this.#objects.keys();
  }

  /** The texts of all literals, whatever their type. */
  literals(subject: string, predicate: string): readonly string[] {
    return this.#values(subject, predicate).flatMap((value) =>
      'literal' in value ? [value.literal] : [],
    );
  }

  links(subject: string, predicate: string): readonly string[] {
    return this.#values(subject, predicate).flatMap((value) =>
      'link' in value ? [value.link] : [],
    );
  }

  /** Everything that the document says about the subject. */
  about(subject: string): Triple[] {
    return Array.from(this.#objects.get(subject) ?? [], ([predicate, objects]) =>
      objects.map((object) => ({ subject, predicate, object })),
    ).flat();
  }

  #values(subject: string, predicate: string): readonly TurtleObject[] {
    return this.#objects.get(subject)?.get(predicate) ?? [];
  }
}
