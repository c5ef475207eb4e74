/** The appliance client for the rest of the bot. The package exports less: packages/appliance-client. */
export { absentAppliance } from './absent.ts';
export type { Call, CallOptions } from './call.ts';
export {
  type Appliance,
  type ApplianceIdentity,
  type AskedAppliance,
  connectAppliance,
} from './client.ts';
export type { AddedRecord, NewRecords } from './combined/acl.ts';
export type { ManySites, ManySitesAdded } from './combined/categories.ts';
export { DryRunEnd, type DryRunRequest } from './dry-run.ts';
export type { Effect, Endpoint, Method } from './endpoint.ts';
export type { AclObject, AclRecord, AclRule, RecordSwitched } from './endpoints/acl.ts';
export type { ResolverAnswer, WebsiteAnalysis } from './endpoints/analysis.ts';
export type { AddedSites, Categorization, Category } from './endpoints/categories.ts';
export type { EngineIndex, EngineVersion } from './endpoints/directory.ts';
export type {
  ApplianceVersion,
  AuthenticationLink,
  DirectoryMode,
  DirectoryStatus,
  ServiceTime,
} from './endpoints/directory-status.ts';
export * as areas from './endpoints/index.ts';
export type { IniSections } from './endpoints/ini.ts';
export type {
  DailySyncs,
  MirrorClient,
  MirrorStatus,
  RepositorySyncs,
  SyncEvent,
  SyncEvents,
  SyncStats,
  UpdateCheck,
} from './endpoints/mirror.ts';
export type { AccessEvents } from './endpoints/rdp.ts';
export type { Member } from './endpoints/rdp-members.ts';
export type { RdpPolicy } from './endpoints/rdp-policies.ts';
export type { Session, SessionStart } from './endpoints/rdp-sessions.ts';
export type { ResolverConfiguration } from './endpoints/resolver.ts';
export type { Installation, SoftwareProduct, SoftwareVersion } from './endpoints/software.ts';
export type {
  DatabasePrivileges,
  FlaggedPrivileges,
  SqlPrivileges,
  SqlUser,
  SqlUserReport,
} from './endpoints/sqldb.ts';
export type { SslRule, SslRuleObject } from './endpoints/ssl.ts';
export * from './errors.ts';
export { againstDocument, type OperationName, operations, problemWithMethod } from './operations.ts';
export { extentOf, type ListExtent, withExtent } from './reading/extent.ts';
export type { Accepted, Created, Report } from './reading/reply-reader.ts';
export { type AmountUnit, amountIn } from './reading/shape.ts';
export { shortestSecret } from './reading/understand-answer.ts';
export type { IdentifiedEntry, NamedEntry, UnnamedFields } from './reading/unnamed.ts';
export { hotfixIn, parseReleaseName } from './release.ts';
export type { ApplianceSettings, OrderReply } from './settings.ts';
export type { UploadContent } from './upload/content.ts';
export type { UploadArguments } from './upload/file.ts';
export type { SentFile, UploadProgress } from './upload/multipart.ts';
export { sentName } from './upload/multipart.ts';
export { isShellPassword } from './upload/shell-script.ts';
export { isWebConsole, problemWithAddress } from './wire/addresses.ts';
export type { RequestPace } from './wire/permits.ts';
export type { Deadlines } from './wire/transport.ts';
export {
  type ApplianceProxy,
  type ApplianceTls,
  problemWithProxyAddress,
  readFingerprint,
} from './wire/way.ts';
export type { RequestReport } from './wire/wire-request.ts';
