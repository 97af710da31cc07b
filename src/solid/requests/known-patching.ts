/**
 * In the order of preference. On the Community Solid Server both are equally fast. Only the first accepts a
 * removal whose statement is missing, for example because somebody else was faster.
 */
const patchTypes = ['application/sparql-update', 'text/n3'] as const;
export type PatchType = (typeof patchTypes)[number];

/** `rewrite` comes last, for servers without PATCH: it reads the document and writes it anew. */
export type Way = PatchType | 'rewrite';

/** How servers take changes, as their answers showed. */
export class KnownPatching {
  readonly #named = new Map<string, string>();
  readonly #worked = new Map<string, Way>();

  /** Notes the header Accept-Patch of an answer. */
  note(url: string, named: string | undefined): void {
    if (named !== undefined && named !== '') this.#named.set(originOf(url), named);
  }

  /** A way that worked after others had been refused. */
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
