import type { X509Certificate } from 'node:crypto';
import { readWay, shownCertificate } from '../../src/api/wire/way.ts';
import { certificatesIn, dayOf, nameIn, timeTrouble } from '../../src/config/referenced.ts';
import type { ConfiguredAppliance } from '../../src/config/shape/appliance-shape.ts';
import { type Finding, note, right, wrong } from './finding.ts';

/** In milliseconds. */
const timeout = 5_000;

/** The certificates at appliances' https addresses, and the bot's own: the owner, the end of validity, and the pin. */
export async function certificates(
  appliances: readonly ConfiguredAppliance[],
  now: number,
): Promise<readonly Finding[]> {
  const found = await Promise.all(appliances.map((one) => ofAppliance(one, now)));
  return found.flat();
}

async function ofAppliance(appliance: ConfiguredAppliance, now: number): Promise<readonly Finding[]> {
  const { name, tls, proxy } = appliance;
  const way = readWay(name, tls, proxy);
  const isByPinAlone = tls?.pins !== undefined && tls.ca === undefined;
  const shown = await Promise.all(
    addressesOf(appliance).map(async (address) => {
      const certificate = await shownCertificate(way, address, timeout);
      // The request itself reports an unreachable address.
      return certificate === undefined
        ? []
        : [finding(`${name} ${address.host}`, certificate, now, isByPinAlone)];
    }),
  );
  const own = (['ca', 'certificate'] as const).flatMap((setting) =>
    (certificatesIn(tls?.[setting] ?? '') ?? []).map((one) =>
      finding(`${name} tls.${setting}`, one, now, false),
    ),
  );
  return [...shown.flat(), ...own];
}

function addressesOf({ url, directoryUrl, mirrorUrl, mirrorConsoleUrl }: ConfiguredAppliance) {
  const all = [url, directoryUrl, mirrorUrl, mirrorConsoleUrl].flatMap((one) => one ?? []);
  return [...new Set(all.map((one) => new URL(one).origin))]
    .map((origin) => new URL(origin))
    .filter(({ protocol }) => protocol === 'https:');
}

/** A certificate that is known by its fingerprint alone may be out of date. */
function finding(what: string, certificate: X509Certificate, now: number, isTimeless: boolean): Finding {
  const whose = `${what}: the certificate of ${nameIn(certificate)}`;
  const fingerprint = `SHA-256 fingerprint ${certificate.fingerprint256}`;
  const trouble = timeTrouble(certificate, now);
  if (trouble === undefined) {
    return right(`${whose} is valid until ${dayOf(certificate.validToDate)}, ${fingerprint}.`);
  }
  const says = `${whose} ${trouble.says}, ${fingerprint}.`;
  return trouble.isOver && !isTimeless ? wrong(`${says} Renew it.`) : note(says);
}
