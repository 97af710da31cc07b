import { countOf } from '../../base/sentences.js';
import { type AnalysisOutcome, type AnalysisStep, runAnalysis } from '../../client/run-analysis.js';
import { revokeReadings } from '../../client/shares.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import type { Tone } from '../printer.js';
import { countSeconds, createProgress } from '../progress.js';
import { isConfirmed } from '../prompt.js';
import { describeResult, saveChart } from './own-result.js';
import type { AppFlags } from './settings-file.js';
import { withAnalyser } from './with-own-pod.js';

interface AnalyseFlags extends AppFlags {
  yes?: boolean;
  shareAgain?: boolean;
  chart?: string;
}

export function roundTrip(context: ModeContext, flags: AnalyseFlags): Promise<number> {
  const { yes, shareAgain } = flags;
  return withAnalyser(context, flags, async (ownPod, analyser, signal) => {
    const report = reportSteps(context);
    signal.addEventListener('abort', report.ended, { once: true });
    const outcome = await runAnalysis(ownPod, analyser, {
      confirm: (readings) =>
        isConfirmed(`Share ${countOf(readings, 'reading')} with ${analyser.analyserWebId}?`, {
          yes,
          what: 'that readings are shared',
        }),
      shareAgain,
      onStep: report.step,
      signal,
    }).finally(report.ended);
    if (outcome.kind === 'completed') {
      await showResult(outcome, flags, context);
      return exitCodes.ok;
    }
    context.printError(...whyNoResult(outcome));
    return outcome.kind === 'cancel-undelivered' ? exitCodes.server : exitCodes.failed;
  });
}

const analysing = 'Analysing; Ctrl-C cancels.';

function reportSteps({ printError }: ModeContext) {
  const showSharing = createProgress('Sharing');
  let isSharing = false;
  let ended: () => void = () => undefined;
  const tell = (step: AnalysisStep) => {
    ended();
    switch (step.step) {
      case 'checked':
        printError(`The service is ready and acts for ${step.status.analyser_web_id}.`);
        return;
      case 'sharing':
        if (!isSharing && step.done === step.all) printError('Nothing new to share.');
        else showSharing(step.done, step.all);
        isSharing = true;
        return;
      case 'analysing':
        if (!process.stderr.isTTY) printError(analysing);
        ended = countSeconds(analysing);
        return;
      case 'replied':
        if (step.reply.published) printError('Done.');
        return;
      case 'collecting':
        if (step.attempt > 1) printError(`The result is not there yet; attempt ${step.attempt}.`);
    }
  };
  return { step: tell, ended: () => ended() };
}

type Completed = Extract<AnalysisOutcome, { kind: 'completed' }>;

async function showResult(
  { reply, result, readings, inView, isNewer }: Completed,
  { chart }: AnalyseFlags,
  { print, printError, cwd }: ModeContext,
): Promise<void> {
  for (const line of describeResult(result)) print(line);
  if (reply !== null && reply.message !== '') printError(reply.message);
  if (isNewer) {
    printError(
      `This is the result of ${result.generated_at}: there was another analysis meanwhile.`,
    );
  }
  printError(
    inView < readings
      ? `Partial: the analysis covers ${inView} of ${countOf(readings, 'reading')}; --share-again shares all of them anew.`
      : `The analysis covers everything: ${countOf(readings, 'reading')}.`,
  );
  if (chart !== undefined) printError(await saveChart(result, cwd, chart));
}

function whyNoResult(outcome: Exclude<AnalysisOutcome, Completed>): [string, Tone?] {
  switch (outcome.kind) {
    case 'unpublished':
    case 'without-result':
      return [outcome.reply.message || `The service answered ${outcome.reply.status}.`];
    case 'no-readings':
      return ['There are no readings in your Pod yet: record one with app add.'];
    case 'declined':
      return ['Nothing was shared.'];
    case 'cancelled':
      return [
        `Cancelled: ${outcome.reply?.message ?? 'no analysis was asked for yet.'} Readings already shared stay shared; app revoke takes them back.`,
        'good',
      ];
    case 'too-late':
      return ['Too late to cancel: the result is written, app result shows it.'];
    case 'cancel-undelivered':
      return [
        `The Cancel was not delivered, so the analysis may still run: ${outcome.reason}`,
        'bad',
      ];
  }
}

export function revoke(context: ModeContext, flags: AppFlags): Promise<void> {
  return withAnalyser(context, flags, async (ownPod, { analyserWebId }, signal) => {
    const count = await revokeReadings(ownPod, analyserWebId, {
      onProgress: createProgress('Taking back'),
      signal,
    });
    context.print(
      count === 0
        ? `Nothing was shared with ${analyserWebId}.`
        : `Taken back from ${analyserWebId}: ${countOf(count, 'share')}. Your Pod does not count any more once an analysis finds your files closed while your server shows your profile. The last result stays open to you: app result shows it.`,
    );
  });
}
