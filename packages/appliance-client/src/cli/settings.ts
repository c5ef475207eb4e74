import type { ApplianceSettings } from '../../../../src/api/settings.ts';
import { meant } from '../../../../src/meant.ts';
import { Usage } from './terminal.ts';

export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a whole file, or standard input for `-`. */
  readonly read: (path: string) => string;
}

/** Addresses are no secrets: they may be typed. */
export const addressOptions = [
  'name',
  'url',
  'directory-url',
  'mirror-url',
  'mirror-console-url',
  'release',
] as const;

/** The variables that describe the appliance. */
export const variables = {
  APPLIANCE_URL: 'The address of the Web API, such as https://10.20.0.2:9503.',
  APPLIANCE_NAME: 'The name in questions and errors. Default: the host of the URL.',
  APPLIANCE_DIRECTORY_URL: 'The address of the directory API. Default: APPLIANCE_URL.',
  APPLIANCE_MIRROR_URL: 'The address of the mirror service.',
  APPLIANCE_MIRROR_CONSOLE_URL: 'The address of the mirror console. Default: port 8081 of the same host.',
  APPLIANCE_MIRROR_CONSOLE_USER: 'The user name for the mirror console, if it requires a login.',
  APPLIANCE_CA_FILE: 'A PEM file with the authorities that are trusted, instead of the usual ones.',
  APPLIANCE_PINS: 'SHA-256 fingerprints of the certificates that are accepted, with commas between them.',
  APPLIANCE_CERTIFICATE_FILE: 'A PEM file with the certificate that is shown to the appliance.',
  APPLIANCE_PROXY: 'The proxy to use, such as http://proxy.example.com:3128.',
  APPLIANCE_PROXY_USER: 'The user name for the proxy.',
  APPLIANCE_RELEASE: 'The release, such as "4.50 SP4", for an appliance that does not report it.',
} as const;

/** Each may be in a file, whose path is in the variable with `_FILE` appended. */
export const secretVariables = {
  APPLIANCE_KEY: 'The Web API key.',
  APPLIANCE_SHELL_PASSWORD: 'The password that lets shell packages run.',
  APPLIANCE_MIRROR_CONSOLE_PASSWORD: 'The password of the mirror console.',
  APPLIANCE_CERTIFICATE_KEY: 'The key of the certificate, in PEM format.',
  APPLIANCE_PROXY_PASSWORD: 'The password of the proxy.',
} as const;

/** @throws Usage */
export function settingsFrom(
  options: Readonly<Record<string, string | undefined>>,
  { environment, read }: Sources,
): ApplianceSettings {
  const told = (variable: string) => meant(environment[variable] ?? '') || undefined;
  const chosen = (option: (typeof addressOptions)[number], variable: keyof typeof variables) =>
    options[option] ?? told(variable);
  const contentOf = (variable: keyof typeof variables) => {
    const path = told(variable);
    return path === undefined ? undefined : read(path);
  };
  const secret = (variable: keyof typeof secretVariables) => {
    const path = told(`${variable}_FILE`);
    return (path ? meant(read(path)) : told(variable)) || undefined;
  };
  const url = chosen('url', 'APPLIANCE_URL');
  if (url === undefined)
    throw new Usage('Missing address of the appliance. Set APPLIANCE_URL, or use --url.');
  const tls = {
    ca: contentOf('APPLIANCE_CA_FILE'),
    pins: told('APPLIANCE_PINS')
      ?.split(',')
      .map((pin) => pin.trim()),
    certificate: contentOf('APPLIANCE_CERTIFICATE_FILE'),
    key: secret('APPLIANCE_CERTIFICATE_KEY'),
  };
  const proxy = told('APPLIANCE_PROXY');
  return {
    name: chosen('name', 'APPLIANCE_NAME') ?? URL.parse(url)?.host ?? 'appliance',
    url,
    directoryUrl: chosen('directory-url', 'APPLIANCE_DIRECTORY_URL'),
    mirrorUrl: chosen('mirror-url', 'APPLIANCE_MIRROR_URL'),
    mirrorConsoleUrl: chosen('mirror-console-url', 'APPLIANCE_MIRROR_CONSOLE_URL'),
    release: chosen('release', 'APPLIANCE_RELEASE'),
    key: secret('APPLIANCE_KEY'),
    shellPassword: secret('APPLIANCE_SHELL_PASSWORD'),
    mirrorConsoleUser: told('APPLIANCE_MIRROR_CONSOLE_USER'),
    mirrorConsolePassword: secret('APPLIANCE_MIRROR_CONSOLE_PASSWORD'),
    // Without any of these, Node's defaults apply.
    tls: Object.values(tls).some((one) => one !== undefined) ? tls : undefined,
    proxy:
      proxy === undefined
        ? undefined
        : {
            url: proxy,
            user: told('APPLIANCE_PROXY_USER'),
            password: secret('APPLIANCE_PROXY_PASSWORD'),
          },
  };
}
