import { useEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to the heading of a view that was navigated to, as a page load would; not where
 * the link led to one part of it.
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
