import { checkAccess, checkOthers } from './access.js';
import { checkAnswers } from './answers.js';
import { checkDocuments } from './documents.js';
import { noteDenied } from './doubled.js';
import { checkInboxes, checkLogs } from './logs.js';
import { checkMemory } from './memory.js';
import { checkNames } from './names.js';
import { checkRuns } from './runs.js';
import type { Scene } from './scene.js';

/** Looks at everything that lasts, and returns what is wrong with it. */
export function checkWorld(scene: Scene): readonly string[] {
  const { past, memory, world } = scene;
  noteDenied(scene);
  checkMemory(scene);
  checkRuns(scene);
  checkAccess(scene);
  checkDocuments(scene);
  checkInboxes(scene);
  checkLogs(scene);
  checkNames(scene);
  checkAnswers(scene);
  checkOthers(scene);
  past.memory = memory?.memory ?? null;
  const body = world.server.textOf(world.memoryUrl);
  if (body !== null && past.bodies.at(-1) !== body) past.bodies.push(body);
  return [...new Set(scene.problems)];
}
