import type { CallOptions, ChannelOptions, ClientUnaryCall, ServiceError } from '@grpc/grpc-js';
import { ChannelCredentials, Client, Metadata } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition, type ServiceDefinition } from '@grpc/proto-loader';

type Method = 'Analyse' | 'Cancel' | 'Status';
type Message = Record<string, unknown>;
/** Metadata by name; several values are sent as several lines. */
type Extra = Record<string, string | string[]>;

const contract = loadSync('proto/healthpod/analyser/v1/analyser.proto', {
  keepCase: true,
  enums: String,
  defaults: true,
});
const service = serviceOf(contract, 'healthpod.analyser.v1.Analyser');

/** A caller that knows the service by its .proto alone. */
export class PlainClient {
  readonly #client: Client;

  constructor(
    port: number,
    private readonly authorization: string | null = null,
    credentials: ChannelCredentials = ChannelCredentials.createInsecure(),
    channel: ChannelOptions = {},
  ) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials, {
      // One connection a client, as separate apps have.
      'grpc.use_local_subchannel_pool': 1,
      ...channel,
    });
  }

  analyse(
    web_id: string,
    rest: Message = {},
    options: CallOptions = {},
    metadata: Extra = {},
  ): PlainCall {
    return this.call('Analyse', { web_id, ...rest }, options, metadata);
  }

  cancel(web_id: string, metadata: Extra = {}): PlainCall {
    return this.call('Cancel', { web_id }, {}, metadata);
  }

  status(): PlainCall {
    return this.call('Status', {});
  }

  call(
    method: Method,
    request: object,
    options: CallOptions = {},
    metadata: Extra = {},
  ): PlainCall {
    const definition = service[method];
    if (definition === undefined) throw new Error(`${method} is not in the contract`);
    return this.send(
      definition.path,
      definition.requestSerialize(request),
      (bytes) => Object.fromEntries(Object.entries(definition.responseDeserialize(bytes))),
      options,
      metadata,
    );
  }

  /** Sends the bytes as they are. */
  send<Reply = Buffer>(
    path: string,
    bytes: Buffer,
    parse: (bytes: Buffer) => Reply,
    options: CallOptions = {},
    extra: Extra = {},
  ): PlainCall<Reply> {
    const metadata = new Metadata();
    for (const [name, values] of Object.entries(extra)) {
      for (const value of [values].flat()) metadata.add(name, value);
    }
    if (this.authorization !== null) metadata.set('authorization', this.authorization);
    let hangUp = (): void => undefined;
    const reply = new Promise<Reply>((resolve, reject) => {
      const done = (error: ServiceError | null, value?: Reply): void => {
        if (error !== null) reject(error);
        else if (value !== undefined) resolve(value);
      };
      const call: ClientUnaryCall = this.#client.makeUnaryRequest(
        path,
        (message: Buffer) => message,
        parse,
        bytes,
        metadata,
        options,
        done,
      );
      hangUp = () => call.cancel();
    });
    return Object.assign(reply, { hangUp: () => hangUp() });
  }

  close(): void {
    this.#client.close();
  }
}

export type PlainCall<Reply = Message> = Promise<Reply> & { hangUp(): void };

export function serviceOf(contract: PackageDefinition, name: string): ServiceDefinition {
  const found = contract[name];
  if (found === undefined || isMessage(found)) throw new Error(`no service ${name}`);
  return found;
}

function isMessage(
  definition: NonNullable<PackageDefinition[string]>,
): definition is Exclude<PackageDefinition[string], ServiceDefinition> {
  return 'format' in definition;
}
