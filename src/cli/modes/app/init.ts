import { initialiseOwnPod } from '../../../client/open-own-pod.js';
import { completeOwnPod, loadAppSettings } from '../../app/app-settings.js';
import { exitCodes } from '../../exit-codes.js';
import { untilInterrupted } from '../../interruption.js';
import type { Mode } from '../../mode.js';
import { askNewSecret } from '../../prompt.js';

export const mode: Mode = {
  async run(context) {
    const app = await loadAppSettings(context);
    return await untilInterrupted(async (signal) => {
      const askKey = () => askNewSecret('A new security key, to be remembered: ');
      const ownPod = await initialiseOwnPod(await completeOwnPod(app, askKey, signal), signal);
      context.print(
        `${ownPod.pod.webId} is ready for encrypted data below ${ownPod.pod.documents.app}`,
      );
      context.print('Without the security key nothing in it can be read; nobody can restore it.');
      await ownPod.close();
      return exitCodes.ok;
    });
  },
};
