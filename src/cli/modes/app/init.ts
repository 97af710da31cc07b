import { initialiseOwnPod } from '../../../client/open-own-pod.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import type { Mode } from '../../mode.js';
import { askNewSecret } from '../../prompt.js';

export const mode: Mode = (context) => {
  const askKey = () => askNewSecret('A new security key, to be remembered: ');
  const how = { open: initialiseOwnPod, askKey };
  return withOwnPod(
    context,
    ({ pod }) => {
      context.print(`${pod.webId} is ready for encrypted data below ${pod.documents.app}`);
      context.print('Without the security key nothing in it can be read; nobody can restore it.');
    },
    how,
  );
};
