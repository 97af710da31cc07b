/**
 * The process of compiled-server.ts: runs a Community Solid Server from the file that its
 * configuration was compiled to, which it writes first when there is none yet.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { Server } from 'node:net';
import { dirname, join } from 'node:path';

const [configFile, compiledFile, port, baseUrl, rootFilePath] = process.argv.slice(2);
const packageFile = createRequire(import.meta.url).resolve('@solid/community-server/package.json');

// Whose errors are answers, and cost less without a trace.
Error.stackTraceLimit = 1;
// A parent that is killed leaves no server behind.
process.once('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group, but the parent decides when the server stops.
process.on('SIGINT', () => undefined);

if (!existsSync(compiledFile)) {
  const unfinished = `${compiledFile}.${process.pid}.tmp`;
  writeFileSync(unfinished, await compile());
  renameSync(unfinished, compiledFile);
}
const listening = listenLocally();
await createApp().start();
await listening;
process.send?.('ready');

/** The same construction that the server would do, as source code. */
async function compile() {
  const { ComponentsManager, ConstructionStrategyCommonJsString } =
    createRequire(packageFile)('componentsjs');
  const constructionStrategy = new ConstructionStrategyCommonJsString({
    asFunction: true,
    req: createRequire(packageFile),
  });
  const manager = await ComponentsManager.build({
    mainModulePath: dirname(packageFile),
    typeChecking: false,
    dumpErrorState: false,
    constructionStrategy,
    configLoader: (registry) => registry.register(configFile),
  });
  const app = await manager.instantiate('urn:solid-server:default:App');
  return constructionStrategy.serializeDocument(app);
}

function createApp() {
  const variables = {
    port: Number(port),
    baseUrl,
    rootFilePath,
    loggingLevel: 'error',
    showStackTrace: false,
    workers: 1,
    confirmMigration: false,
    socket: undefined,
    seedConfig: undefined,
  };
  const name = (key) => `urn:solid-server:default:variable:${key}`;
  const entries = Object.entries(variables).map(([key, value]) => [name(key), value]);
  // Its paths are relative to the package of the server.
  const compiled = new Module(join(dirname(packageFile), 'compiled.cjs'));
  compiled.filename = compiled.id;
  compiled.paths = createRequire(packageFile).resolve.paths('componentsjs');
  compiled._compile(readFileSync(compiledFile, 'utf8'), compiled.filename);
  return compiled.exports(Object.fromEntries(entries));
}

/** Makes the server listen on loopback only, for which it has no setting. */
function listenLocally() {
  const { listen } = Server.prototype;
  return new Promise((resolve) => {
    Server.prototype.listen = function listenHere(...args) {
      if (typeof args[0] !== 'number') return listen.apply(this, args);
      this.once('listening', resolve);
      return listen.call(this, args[0], '127.0.0.1');
    };
  });
}
