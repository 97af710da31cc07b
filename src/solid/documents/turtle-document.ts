import { AnalyserError } from '../../base/errors.js';

/** The statements of one document, by subject and predicate. */
export interface TurtleDocument {
  readonly url: string;
  /** Absolute addresses; blank nodes as `_:name`. */
  subjects(): Iterable<string>;
  /** Literal values. */
  literals(subject: string, predicate: string): readonly string[];
  /** Addresses the subject points to. */
  links(subject: string, predicate: string): readonly string[];
  /** The one literal; undefined when there is none; more than one is `malformed`. */
  literal(subject: string, predicate: string): string | undefined;
  /** The one literal; none or more than one is `malformed`. */
  requireLiteral(subject: string, predicate: string): string;
}

interface Values {
  literals: string[];
  links: string[];
}

const NOTHING: Values = { literals: [], links: [] };

/** Collects statements while a document is read. */
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

  literal(subject: string, predicate: string): string | undefined {
    const [value, ...more] = new Set(this.literals(subject, predicate));
    if (more.length > 0) throw this.#malformed(`has several values of <${predicate}>`);
    return value;
  }

  requireLiteral(subject: string, predicate: string): string {
    const value = this.literal(subject, predicate);
    if (value === undefined) throw this.#malformed(`has no value of <${predicate}>`);
    return value;
  }

  #find(subject: string, predicate: string): Values {
    return this.#statements.get(subject)?.get(predicate) ?? NOTHING;
  }

  #malformed(problem: string): AnalyserError {
    return new AnalyserError('malformed', `${this.url} ${problem}.`);
  }
}
