import { type ApplianceVersion, hotfixIn } from '../../api/index.ts';

export const notReported = 'not reported';

/** The release, as the appliance names it: "4.50 Service Pack 5 hotfix 20250525-12" (appliance-api.md §2.10). */
export function releaseOf({ major, version, servicePack, hotfix }: ApplianceVersion): string {
  const line = lineOf(version) || lineOf(major);
  const pack = servicePack === '' || /(?:sp|service\s*pack)/i.test(line) ? '' : `Service Pack ${servicePack}`;
  const fix = hotfix === undefined ? undefined : (hotfixIn(hotfix) ?? hotfix);
  const isTold = fix === undefined || line.includes(fix);
  return [line, pack, isTold ? '' : `hotfix ${fix}`].filter((part) => part !== '').join(' ') || notReported;
}

/** Without "Appliance version" before it, and without a "Service Pack" that has no number. */
const lineOf = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/^appliance version /i, '')
    .replace(/ ?service ?pack$/i, '');
