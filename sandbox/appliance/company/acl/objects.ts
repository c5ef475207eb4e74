/** An object of the company, before its records have IDs and dates. */
export interface KnownObject {
  readonly id: number;
  readonly name: string;
  /** As the proxy calls its matchers. */
  readonly type: string;
  readonly enabled: boolean;
  /** Goes with each of its records. */
  readonly description: string;
  readonly patterns: readonly string[];
}

/** An object starts with its ID, name, type and description; the lines below it are its patterns. */
const table = String.raw`
3 | google_sni | ssl_sni | Google services
  .google.com .googleapis.com .gstatic.com .googleusercontent.com .ggpht.com .gvt1.com .gvt2.com .gvt3.com
  .googletagmanager.com .android.com .appspot.com .withgoogle.com .google.fr .google.de .google.co.uk .google.es
  .google.it .google.nl .google.be .google.ch .google.pt .google.se .google.pl .youtube.com .ytimg.com
4 | apple_sni | ssl_sni | Applications that accept only their own certificate
  .apple.com .icloud.com .mzstatic.com .cdn-apple.com .apple-cloudkit.com .icloud-content.com .itunes.com .me.com
6 | office365_domains | dstdomain | Microsoft 365
  .office.com .office.net .office365.com .outlook.com .outlook.office.com .protection.outlook.com .sharepoint.com
  .onmicrosoft.com .microsoftonline.com .microsoftonline-p.com .msauth.net .msftauth.net .msftidentity.com
  .msidentity.com .account.microsoft.com .activity.windows.com .aadrm.com .azurerms.com .cloudapp.net .lync.com
  .skype.com .teams.microsoft.com .sfbassets.com .skypeforbusiness.com .svc.ms .sway-cdn.com .sway.com
  .officeapps.live.com .officecdn.microsoft.com .onenote.com .onenote.net .yammer.com .yammerusercontent.com
  .powerapps.com .powerautomate.com .assets-yammer.com .oaspapps.com .phonefactor.net .virtualearth.net .windows.net
7 | office365_networks | dst | Microsoft 365
  13.107.6.152/31 13.107.18.10/31 13.107.64.0/18 13.107.128.0/22 13.107.136.0/22 23.103.160.0/20 40.92.0.0/15
  40.96.0.0/13 40.104.0.0/15 40.107.0.0/16 40.108.128.0/17 52.96.0.0/14 52.100.0.0/14 52.104.0.0/14 52.112.0.0/14
  52.238.119.141/32 104.146.128.0/17 131.253.33.215/32 132.245.0.0/16 150.171.32.0/22 204.79.197.215/32
9 | windows_update | dstdomain | Updates of Windows
  .windowsupdate.com .update.microsoft.com .download.windowsupdate.com .delivery.mp.microsoft.com .dl.delivery.mp.microsoft.com
  .do.dsp.mp.microsoft.com .download.microsoft.com .ntservicepack.microsoft.com .wustat.windows.com .tsfe.trafficshaping.dsp.mp.microsoft.com
10 | linux_repositories | dstdomain | Updates of the Linux servers
  archive.ubuntu.com security.ubuntu.com esm.ubuntu.com deb.debian.org security.debian.org dl.rockylinux.org
  mirrors.rockylinux.org download.fedoraproject.org mirrors.fedoraproject.org cdn.redhat.com download.docker.com
12 | banking_sni | ssl_sni_regex | Banks stay private
  (^|\.)hsbc\.com$ (^|\.)bnpparibas\.(com|fr)$ (^|\.)deutsche-bank\.de$ (^|\.)ing\.(com|nl|de|be)$ (^|\.)paypal\.com$
  (^|\.)chase\.com$ (^|\.)revolut\.com$ (^|\.)wise\.com$ (^|\.)credit-agricole\.fr$ (^|\.)[a-z]{2,12}bank\.(com|eu)$
13 | health_sni | ssl_sni | Health stays private
  .doctolib.fr .doctolib.de .ameli.fr .nhs.uk .mayoclinic.org .tk.de .aok.de .who.int
15 | video_conferences | ssl_sni | Calls suffer when they are decoded
  .zoom.us .zoom.com .webex.com .wbx2.com .ciscospark.com .gotomeeting.com .meet.google.com .whereby.com .livekit.cloud
16 | certificate_status | dstdomain | Revocation lists and answers
  ocsp.digicert.com crl3.digicert.com crl4.digicert.com ocsp.sectigo.com crl.sectigo.com ocsp.globalsign.com
  crl.globalsign.com r10.o.lencr.org r11.o.lencr.org ocsp.entrust.net crl.entrust.net ocsp.pki.goog c.pki.goog
18 | pinned_applications | dstdom_regex | Applications that accept only their own certificate
  (^|\.)dropbox(api)?\.com$ (^|\.)whatsapp\.(com|net)$ (^|\.)signal\.org$ ^api[0-9]*\.box\.com$
  (^|\.)crashlytics\.com$ (^|\.)twitter\.com$ (^|\.)fbcdn\.net$ ^device-[0-9]{1,4}\.telemetry\.northwind\.example$
19 | antivirus_updates | dstdomain | Signatures
  .eset.com .kaspersky.com .symantecliveupdate.com .sophosupd.com .sophosupd.net .mcafee.com .trendmicro.com
  database.clamav.net .bitdefender.net .avast.com .wdcp.microsoft.com
21 | office_networks | src | Offices
  10.20.6.0/24 10.20.7.0/24 10.20.8.0/24 10.21.6.0/24 10.21.7.0/24 10.22.6.0/24 10.22.7.0/24 10.23.6.0/24
22 | server_networks | src | Servers
  10.20.4.0/24 10.20.5.0/24 10.21.4.0/24 10.22.4.0/24
24 | guest_network | src | Guests
  10.20.99.0/24 10.21.99.0/24 10.22.99.0/24
27 | kiosks | src | Terminals in the workshops
  10.20.31.{1..48}
28 | printers | arp | Printers
  00:17:c8:4a:20:{10..57}
30 | unlimited_users | proxy_auth | May use everything
  alice.carter henrik.olsen claire.dubois nadia.rahman
31 | contractors | proxy_auth | Other companies
  contractor.acme contractor.hvac contractor.lifts auditor.ext contractor.cabling
33 | blocked_downloads | urlpath_regex | Programs come from the software portal
  \.(exe|msi|com|scr|pif)(\?.*)?$ \.(bat|cmd|ps1|vbs|vbe|wsf)$ \.(iso|img|vhd|vhdx)$ \.(hta|jse?|lnk)$ /setup[-_0-9.]{0,12}\.zip$
36 | outdated_browsers | browser | Browsers without updates
  MSIE\s[5-9]\. Trident/[4-7]\. Firefox/[1-9]?[0-9]\. Chrome/[1-9]?[0-9]\.
37 | tunnel_ports | port | Ports that CONNECT may reach
  443 563 8443 9443 4443 5061
39 | suppliers | dstdomain | Portals of suppliers
  .supplier-{101..148}.example
40 | banned_addresses | url_regex | Reported by the security team
  ^https?://[^/]+/wp-content/uploads/[0-9]{4}/[a-z]{3}\.php ^http://203\.0\.113\.[0-9]{1,3}/(gate|panel|login)\.php$
  ^https?://free-gift-cards\.example/claim\?id=[0-9a-f]{8,32} /track\.gif\?([a-z]=[^&]*&){5,} ^ftp://anonymous@
  ^https?://[^/]*paypa1[^/]*/ ^https?://bücher-gratis\.example/ ^https?://win-a-phone\.example/(en|fr|de)/step-[1-3]
43 | social_media_pilot | dstdomain | Pilot of the communication team, ended
  .facebook.com .instagram.com .linkedin.com .tiktok.com .x.com
44 | betting | dstdomain | Bets and lotteries
  .live-betting.example .odds-today.example .lucky-lottery.example
`;

const disabled = new Set(['social_media_pilot']);

export function knownObjects(): KnownObject[] {
  return table
    .trim()
    .split(/\n(?=\d)/)
    .map((paragraph) => {
      const [head = '', ...lines] = paragraph.split('\n');
      const [id = '', name = '', type = '', description = ''] = head.split(' | ');
      const patterns = lines.flatMap((line) => line.trim().split(' ')).flatMap(series);
      return { id: Number(id), name, type, description, enabled: !disabled.has(name), patterns };
    });
}

/** `10.20.31.{1..48}` stands for 48 patterns. */
function series(pattern: string): string[] {
  const found = /\{(\d+)\.\.(\d+)\}/.exec(pattern);
  if (found === null) return [pattern];
  const [whole, first, last] = [found[0], Number(found[1]), Number(found[2])];
  return Array.from({ length: last - first + 1 }, (_, index) =>
    pattern.replace(whole, String(first + index)),
  );
}
