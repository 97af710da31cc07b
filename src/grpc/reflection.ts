import type { Server } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoPath as healthProtoPath } from 'grpc-health-check';
import { descriptorSet } from '../generated/descriptor.js';

/** Server reflection (v1 and v1alpha), so that ordinary tools need no .proto file. */
export function addReflection(server: Server): void {
  const contract = loadFileDescriptorSetFromBuffer(Buffer.from(descriptorSet, 'base64'));
  new ReflectionService({ ...contract, ...loadSync(healthProtoPath) }).addToServer(server);
}
