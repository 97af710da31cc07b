import { useEffect, useState } from 'preact/hooks';
import { type Live, notYet } from './live.js';
import { watchService } from './watch-service.js';

export function useLive(): Live {
  const [live, setLive] = useState(notYet);
  useEffect(() => watchService(setLive), []);
  return live;
}
