/** The statements of one document, by subject and predicate. */
export interface TurtleDocument {
  readonly url: string;
  /** Absolute addresses; blank nodes as `_:name`. */
  subjects(): Iterable<string>;
  literals(subject: string, predicate: string): readonly string[];
  links(subject: string, predicate: string): readonly string[];
}

interface Values {
  literals: string[];
  links: string[];
}

const NOTHING: Values = { literals: [], links: [] };

export class TurtleIndex implements TurtleDocument {
  readonly #statements = new Map<string, Map<string, Values>>();

  constructor(readonly url: string) {}

  add(subject: string, predicate: string, object: { literal: string } | { link: string }): void {
    const predicates = this.#statements.get(subject) ?? new Map<string, Values>();
    this.#statements.set(subject, predicates);
    const values = predicates.get(predicate) ?? { literals: [], links: [] };
    predicates.set(predicate, values);
    if ('literal' in object) values.literals.push(object.literal);
    else values.links.push(object.link);
  }

  subjects(): Iterable<string> {
    return this.#statements.keys();
  }

  literals(subject: string, predicate: string): readonly string[] {
    return this.#find(subject, predicate).literals;
  }

  links(subject: string, predicate: string): readonly string[] {
    return this.#find(subject, predicate).links;
  }

  #find(subject: string, predicate: string): Values {
    return this.#statements.get(subject)?.get(predicate) ?? NOTHING;
  }
}
