import { openOwnPod } from '../../client/open-own-pod.js';
import type { OwnPod } from '../../client/own-pod.js';
import type { ModeContext } from '../mode.js';
import { askSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import {
  type AppFlags,
  type AppSettings,
  completeOwnPod,
  loadAppSettings,
} from './app-settings.js';

/** Opens the person's own Pod for one mode and closes it afterwards. */
export async function withOwnPod<T>(
  context: ModeContext,
  flags: AppFlags,
  use: (ownPod: OwnPod, app: AppSettings, signal: AbortSignal) => T | Promise<T>,
  { open = openOwnPod, askKey = () => askSecret('Your security key: ') } = {},
): Promise<T> {
  const app = await loadAppSettings(context, flags);
  return await untilInterrupted(async (signal) => {
    const ownPod = await open(
      await completeOwnPod(app, { askKey, note: context.printError }, signal),
      signal,
    );
    try {
      return await use(ownPod, app, signal);
    } finally {
      await ownPod.close();
    }
  });
}
