/**
 * The kinds of PATCH, the preferred one first. On the Community Solid Server both are equally fast. Only the first
 * accepts the removal of a missing statement, for example of one that somebody else has just removed.
 */
const patchTypes = ['application/sparql-update', 'text/n3'] as const;
export type PatchType = (typeof patchTypes)[number];

/** `rewrite` comes last, for servers without PATCH: it reads the document and writes it anew. */
export type Way = PatchType | 'rewrite';

/** Remembers for each server, from its answers, which way of changing documents it takes. */
export class KnownPatching {
  readonly #named = new Map<string, string>();
  readonly #worked = new Map<string, Way>();

  /** Notes the header Accept-Patch of an answer. */
  note(url: string, named: string | undefined): void {
    if (named !== undefined && named !== '') this.#named.set(originOf(url), named);
  }

  /** Notes a way that worked after the server had refused others. */
  learn(url: string, way: Way): void {
    this.#worked.set(originOf(url), way);
  }

  /** All ways, the likeliest first. */
  waysFor(url: string): Way[] {
    const origin = originOf(url);
    const worked = this.#worked.get(origin);
    const named =
      this.#named
        .get(origin)
        ?.split(',')
        .map((type) => type.trim().toLowerCase()) ?? [];
    const ways: Way[] = [
      ...(worked === undefined ? [] : [worked]),
      ...patchTypes.filter((type) => named.includes(type)),
      ...patchTypes,
      'rewrite',
    ];
    return [...new Set(ways)];
  }
}

function originOf(url: string): string {
  return new URL(url).origin;
}
