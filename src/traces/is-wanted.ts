type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the standard variables of OpenTelemetry ask for traces; without, nothing of it is loaded. */
export function isTracingWanted(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim() ?? '';
  if (exporter !== '') return exporter === 'otlp';
  const places = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  return places.some((name) => (env[name]?.trim() ?? '') !== '');
}
