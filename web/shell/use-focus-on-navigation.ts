import { useEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to the heading of the view that a link leads to, as a page load would. Does nothing for a link to one
 * part of a view.
 */
export function useFocusOnNavigation(path: string, toPart: boolean): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (toPart) return;
    window.scrollTo(0, 0);
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [path, toPart]);
}
