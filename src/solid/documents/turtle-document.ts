/** The object of a statement. */
export type TurtleObject = { literal: string } | { link: string };

interface Values {
  literals: string[];
  links: string[];
}

const NOTHING: Values = { literals: [], links: [] };

/** The statements of one document, by subject and predicate. */
export class TurtleDocument {
  readonly #statements = new Map<string, Map<string, Values>>();

  constructor(readonly url: string) {}

  add(subject: string, predicate: string, object: TurtleObject): void {
    const predicates = this.#statements.get(subject) ?? new Map<string, Values>();
    this.#statements.set(subject, predicates);
    const values = predicates.get(predicate) ?? { literals: [], links: [] };
    predicates.set(predicate, values);
    if ('literal' in object) values.literals.push(object.literal);
    else values.links.push(object.link);
  }

  /** Addresses, and blank nodes as `_:name`. After scanTurtle, relative addresses stay as they are written. */
  subjects(): Iterable<string> {
    return this.#statements.keys();
  }

  literals(subject: string, predicate: string): readonly string[] {
    return (this.#statements.get(subject)?.get(predicate) ?? NOTHING).literals;
  }

  links(subject: string, predicate: string): readonly string[] {
    return (this.#statements.get(subject)?.get(predicate) ?? NOTHING).links;
  }
}
