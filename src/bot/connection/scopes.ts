/** What the app must be allowed to do in the workspace. The same stands in manifest.yml, with what each is for. */
const scopes = [
  'commands',
  'app_mentions:read',
  'chat:write',
  'files:read',
  'files:write',
  'users:read',
  'usergroups:read',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
] as const;

/**
 * Those that the workspace has not granted: what a manifest adds is granted only when the app is installed again.
 * None when Slack did not say what it has granted.
 */
export const missingScopes = (granted: readonly string[] | undefined): readonly string[] =>
  granted === undefined ? [] : scopes.filter((scope) => !granted.includes(scope));
