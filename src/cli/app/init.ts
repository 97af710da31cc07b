import { initialiseOwnPod } from '../../client/open-own-pod.js';
import type { ModeContext } from '../mode.js';
import { askNewSecret } from '../prompt.js';
import type { AppFlags } from './app-settings.js';
import { withOwnPod } from './with-own-pod.js';

export function initialise(context: ModeContext, flags: AppFlags): Promise<void> {
  const askKey = () => askNewSecret('A new security key, to be remembered: ');
  const how = { open: initialiseOwnPod, askKey };
  return withOwnPod(
    context,
    flags,
    ({ pod }) => {
      context.print(`${pod.webId} is ready for encrypted data below ${pod.documents.app}`);
      context.print('Without the security key nothing in it can be read; nobody can restore it.');
    },
    how,
  );
}
