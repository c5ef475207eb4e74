import type { OperationName } from '../src/api/index.ts';

const twin = (of: OperationName): string =>
  `the same as \`${of}\`, at the path of the second generation; every generation has the first path`;

/** The operations that no command uses, each with its reason. A test compares them with what the commands really send. */
export const withoutPhrase: Readonly<Partial<Record<OperationName, string>>> = {
  'directory.connectNtlmV2': twin('directory.connectNtlm'),
  'directory.connectKerberosV2': twin('directory.connectKerberos'),
  'directory.disconnectNtlmV2': twin('directory.disconnectNtlm'),
  'directory.disconnectKerberosV2': twin('directory.disconnectKerberos'),
  'directory.enableEmergencyV2': twin('directory.enableEmergency'),
  'directory.removeGlobalEmergencyV2': twin('directory.removeGlobalEmergency'),
  'directory.uploadServicePackAlternate': 'the same as `directory.uploadServicePack`, at its other path',
};
