/** A category as web filters have them. */
export interface KnownCategory {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Words that the names of its many small sites are made of; no two categories share one. */
  readonly topics: readonly string[];
  /** Sites everybody knows. */
  readonly sites: readonly string[];
}

/**
 * The categories, by ascending ID: ID, name, description, topics, sites. A site can be in two of them;
 * `example.org` is in none on purpose.
 */
const table = `
2 | advertising | Advertising networks and trackers | banner clicks adserver retargeting | doubleclick.net googlesyndication.com adnxs.com criteo.com taboola.com outbrain.com
5 | alcohol | Beer, wine and spirits | winery brewery whisky cellar | heineken.com diageo.com vivino.com budweiser.com
8 | arts | Museums, painting, performing arts | gallery theatre opera sculpture | louvre.fr moma.org tate.org.uk metmuseum.org rijksmuseum.nl
11 | artificial_intelligence | Assistants and model hosting | chatbot neural assistant prompts | chatgpt.com openai.com claude.ai anthropic.com huggingface.co midjourney.com perplexity.ai
14 | associations | Non-profit organisations | volunteers charity foundation solidarity | redcross.org amnesty.org greenpeace.org wwf.org msf.org
17 | audio_streaming | Music and radio over the network | radio podcast playlist vinyl | spotify.com soundcloud.com deezer.com tidal.com bandcamp.com
23 | automotive | Cars and motorcycles | garage tyres motorbike leasing | bmw.com toyota.com autoscout24.com mobile.de tesla.com renault.fr
27 | banking | Banks and payment | savings creditunion payments mortgage | hsbc.com bnpparibas.com deutsche-bank.de ing.com chase.com paypal.com revolut.com wise.com
31 | blogs | Blog platforms | diary journal notebook essays | medium.com wordpress.com blogger.com substack.com tumblr.com ghost.io
36 | business_software | Software for work | crm payroll invoicing workflow | salesforce.com sap.com oracle.com workday.com servicenow.com atlassian.com slack.com zoom.us
41 | chat | Instant messaging | messenger chatroom talk groups | whatsapp.com telegram.org signal.org discord.com viber.com slack.com
44 | cloud_storage | File hosting and synchronisation | filebox locker upload syncdrive | dropbox.com box.com mega.nz wetransfer.com onedrive.live.com drive.google.com
49 | comics | Comics and manga | manga webcomic heroes panels | marvel.com dc.com webtoons.com tapas.io
53 | computing | Hardware and software makers | servers laptops firmware printers | microsoft.com apple.com intel.com amd.com nvidia.com dell.com lenovo.com hp.com
58 | content_delivery | Content delivery networks | cdn edgecache static assets | cloudfront.net akamai.com fastly.com jsdelivr.net unpkg.com
62 | cooking | Recipes and restaurants | recipes bistro kitchen bakery | allrecipes.com marmiton.org bbcgoodfood.com seriouseats.com
67 | cryptocurrency | Exchanges and wallets | coins wallet mining ledger | binance.com coinbase.com kraken.com blockchain.com bitstamp.net
71 | dating | Dating and matchmaking | singles romance soulmate flirt | tinder.com bumble.com match.com okcupid.com meetic.com
76 | development | Programming and source code | coders compiler packages debugging | github.com gitlab.com stackoverflow.com npmjs.com pypi.org nodejs.org mozilla.org
82 | dictionaries | Dictionaries and translation | translate glossary thesaurus grammar | deepl.com wordreference.com merriam-webster.com leo.org linguee.com
88 | drugs | Illegal and recreational drugs | cannabis mushrooms highshop vapes | erowid.org leafly.com weedmaps.com
93 | education | Schools, universities, courses | academy campus lessons tutoring | mit.edu ox.ac.uk coursera.org khanacademy.org edx.org udemy.com duolingo.com
97 | electronics | Consumer electronics | gadgets cameras headphones televisions | samsung.com sony.com philips.com bose.com mediamarkt.de
103 | energy | Power, oil and gas | solar windpark heating gasworks | totalenergies.com shell.com edf.fr eon.com bp.com
108 | fashion | Clothes and luxury | shoes couture jewellery denim | zara.com hm.com nike.com adidas.com zalando.com
112 | file_sharing | Peer-to-peer and torrents | torrents seedbox trackers warez | thepiratebay.org 1337x.to rarbg.to bittorrent.com utorrent.com
117 | finance_news | Markets and trading | markets stocks dividends exchange | bloomberg.com ft.com wsj.com marketwatch.com investing.com boursorama.com
121 | forums | Discussion boards | board discussion community threads | reddit.com quora.com 4chan.org phpbb.com
126 | gambling | Betting and casinos | casino poker jackpot bets | bet365.com pokerstars.com bwin.com unibet.com williamhill.com
131 | games | Video games | arcade quests guild speedrun | steampowered.com epicgames.com roblox.com minecraft.net ea.com nintendo.com twitch.tv
136 | genealogy | Family trees | ancestors familytree archives surnames | ancestry.com myheritage.com geneanet.org familysearch.org
142 | government | Public administration | townhall ministry council permits | gov.uk usa.gov service-public.fr bund.de europa.eu nasa.gov
147 | hacking | Attack tools and instructions | exploits cracking keylogger botnet | exploit-db.com hackforums.net nulled.to
151 | health | Medicine and hospitals | clinic pharmacy dentist physio | who.int webmd.com mayoclinic.org doctolib.fr nhs.uk
156 | hobby_diy | Do it yourself, gardening | gardening woodwork knitting models | ikea.com leroymerlin.fr homedepot.com instructables.com pinterest.com
160 | hosting | Web hosting and domain names | webspace domains vps datacentre | ovhcloud.com godaddy.com hetzner.com gandi.net digitalocean.com namecheap.com
164 | humour | Jokes and memes | jokes memes satire prank | 9gag.com theonion.com cheezburger.com
169 | insurance | Insurance companies | cover claims broker lifeplan | axa.com allianz.com aviva.com zurich.com
173 | job_search | Job offers and careers | careers vacancies recruiting interns | indeed.com monster.com glassdoor.com stepstone.de linkedin.com
178 | law | Legal information | notary attorney legaladvice court | legifrance.gouv.fr justia.com law.cornell.edu
183 | maps | Maps and routes | routes atlas hiking geodata | openstreetmap.org waze.com viamichelin.com here.com
188 | malware | Sites that spread harmful software | cracked freeware codecs driverfix | eicar.org wicar.org amtso.org 203.0.113.66 203.0.113.67 198.51.100.99
194 | news | Newspapers and agencies | gazette herald courier tribune | bbc.co.uk cnn.com lemonde.fr nytimes.com theguardian.com spiegel.de reuters.com apnews.com
199 | online_office | Documents in the browser | documents spreadsheets slides whiteboard | docs.google.com office.com notion.so airtable.com overleaf.com
203 | parked_domains | Domain names without a site | forsale parking comingsoon placeholder | sedoparking.com parkingcrew.net bodis.com
207 | personal_allowed | Allowed by our own decision | suppliers logistics partner customs | intranet.northwind.example suppliers.northwind.example
208 | personal_blocked | Blocked by our own decision | giveaway prizes luckydraw coupons | free-gift-cards.example win-a-phone.example
213 | phishing | Sites that steal credentials | signin verification parcel refund | paypa1-login.example micros0ft-account.example secure-update.example 203.0.113.80 198.51.100.140
218 | photography | Photo sharing | portraits photobook darkroom lenses | flickr.com 500px.com unsplash.com imgur.com shutterstock.com
223 | pornography | Adult content | adult xxx webcams hotvideos | pornhub.com xvideos.com xhamster.com onlyfans.com
228 | real_estate | Houses and flats | apartments villas estate lettings | zillow.com seloger.com immobilienscout24.de rightmove.co.uk
233 | remote_access | Remote control of computers | remotedesk takeover helpdesk wakeup | teamviewer.com anydesk.com logmein.com splashtop.com
238 | religion | Religions and beliefs | parish temple prayer pilgrims | vatican.va islamweb.net chabad.org
243 | science | Research and journals | laboratory physics genome telescope | nature.com science.org arxiv.org cern.ch nasa.gov
247 | search_engines | Search and portals | finder search directory answers | google.com bing.com duckduckgo.com qwant.com yahoo.com ecosia.org
252 | shopping | Online shops and auctions | outlet bazaar bargains marketplace | example.com amazon.com ebay.com aliexpress.com etsy.com walmart.com cdiscount.com zalando.com
257 | social_networks | Social networks | friends followers circles profiles | facebook.com instagram.com linkedin.com x.com tiktok.com snapchat.com pinterest.com reddit.com
260 | purchasing | Shops that purchasing may use | stationery packaging wholesale catalogue | staples.com viking.de rs-online.com uline.com
262 | software_updates | Updates of systems and programs | patches mirrors drivers releases | windowsupdate.com download.microsoft.com archive.ubuntu.com deb.debian.org
267 | sports | Sports and results | football tennis rowing marathon | espn.com fifa.com uefa.com lequipe.fr nba.com strava.com
272 | travel | Journeys and hotels | hotels cruises hostels flights | booking.com airbnb.com expedia.com tripadvisor.com ryanair.com sncf-connect.com
277 | video_streaming | Films and video | cinema series livestream clips | youtube.com netflix.com vimeo.com dailymotion.com disneyplus.com twitch.tv
282 | vpn_anonymizers | Ways around the filter | vpn proxylist unblock tunnel | nordvpn.com expressvpn.com protonvpn.com torproject.org hide.me 192.0.2.44 192.0.2.45
287 | weapons | Weapons and ammunition | knives hunting ammunition archery | glock.com beretta.com gunbroker.com
291 | weather | Forecasts | forecast barometer radar snowreport | weather.com meteofrance.com accuweather.com wetter.com
296 | webmail | Mail in the browser | mailbox inbox letters postbox | gmail.com outlook.com proton.me gmx.net mail.yahoo.com
`;

export function knownCategories(): KnownCategory[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', name = '', description = '', topics = '', sites = ''] = line.split(' | ');
      return { id: Number(id), name, description, topics: topics.split(' '), sites: sites.split(' ') };
    });
}
