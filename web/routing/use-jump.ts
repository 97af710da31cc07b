import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const name = 'to';

/** The parameters of a link that leads to one part of a view. */
export function jumpTo(part: string): URLSearchParams {
  return new URLSearchParams({ [name]: part });
}

export function isJump(params: URLSearchParams): boolean {
  return params.has(name);
}

/** For the part itself: takes the focus when a link led here, and forgets that it did. */
export function useJump(
  part: string,
  params: URLSearchParams,
  onParams: (params: URLSearchParams) => void,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (params.get(name) !== part) return;
    element.current?.focus();
    const rest = new URLSearchParams(params);
    rest.delete(name);
    onParams(rest);
  }, [part, params, onParams]);
  return element;
}
