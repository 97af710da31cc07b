import { useCallback, useEffect, useState } from 'preact/hooks';
import { hrefTo, type Place, parseHash } from './route.js';

/** The place in the address bar, and a way to change its parameters without a step in the history. */
export function usePlace(): [Place, (params: URLSearchParams) => void] {
  const [place, setPlace] = useState(() => parseHash(window.location.hash));
  useEffect(() => {
    const follow = () => {
      setPlace(parseHash(window.location.hash));
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const setParams = useCallback((params: URLSearchParams) => {
    const { route } = parseHash(window.location.hash);
    window.history.replaceState(null, '', hrefTo(route, params));
    setPlace({ route, params });
  }, []);
  return [place, setParams];
}
