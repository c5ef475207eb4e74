import type { SimulatedCategory } from '../state.ts';

type Found = [id: number, name: string, description: string, sites: string];

/** Categories as web filters have them, with sites everybody knows. `example.org` is in none of them on purpose. */
const found: readonly Found[] = [
  [
    2,
    'advertising',
    'Advertising networks and trackers',
    'doubleclick.net googlesyndication.com adnxs.com criteo.com taboola.com outbrain.com',
  ],
  [5, 'alcohol', 'Beer, wine and spirits', 'heineken.com diageo.com vivino.com budweiser.com'],
  [
    8,
    'arts',
    'Museums, painting, performing arts',
    'louvre.fr moma.org tate.org.uk metmuseum.org rijksmuseum.nl',
  ],
  [
    11,
    'artificial_intelligence',
    'Assistants and model hosting',
    'chatgpt.com openai.com claude.ai anthropic.com huggingface.co midjourney.com perplexity.ai',
  ],
  [14, 'associations', 'Non-profit organisations', 'redcross.org amnesty.org greenpeace.org wwf.org msf.org'],
  [
    17,
    'audio_streaming',
    'Music and radio over the network',
    'spotify.com soundcloud.com deezer.com tidal.com bandcamp.com',
  ],
  [
    23,
    'automotive',
    'Cars and motorcycles',
    'bmw.com toyota.com autoscout24.com mobile.de tesla.com renault.fr',
  ],
  [
    27,
    'banking',
    'Banks and payment',
    'hsbc.com bnpparibas.com deutsche-bank.de ing.com chase.com paypal.com revolut.com wise.com',
  ],
  [31, 'blogs', 'Blog platforms', 'medium.com wordpress.com blogger.com substack.com tumblr.com ghost.io'],
  [
    36,
    'business_software',
    'Software for work',
    'salesforce.com sap.com oracle.com workday.com servicenow.com atlassian.com slack.com zoom.us',
  ],
  [41, 'chat', 'Instant messaging', 'whatsapp.com telegram.org signal.org discord.com viber.com slack.com'],
  [
    44,
    'cloud_storage',
    'File hosting and synchronisation',
    'dropbox.com box.com mega.nz wetransfer.com onedrive.live.com drive.google.com',
  ],
  [49, 'comics', 'Comics and manga', 'marvel.com dc.com webtoons.com tapas.io'],
  [
    53,
    'computing',
    'Hardware and software makers',
    'microsoft.com apple.com intel.com amd.com nvidia.com dell.com lenovo.com hp.com',
  ],
  [
    58,
    'content_delivery',
    'Content delivery networks',
    'cloudfront.net akamai.com fastly.com jsdelivr.net unpkg.com',
  ],
  [62, 'cooking', 'Recipes and restaurants', 'allrecipes.com marmiton.org bbcgoodfood.com seriouseats.com'],
  [
    67,
    'cryptocurrency',
    'Exchanges and wallets',
    'binance.com coinbase.com kraken.com blockchain.com bitstamp.net',
  ],
  [71, 'dating', 'Dating and matchmaking', 'tinder.com bumble.com match.com okcupid.com meetic.com'],
  [
    76,
    'development',
    'Programming and source code',
    'github.com gitlab.com stackoverflow.com npmjs.com pypi.org nodejs.org mozilla.org',
  ],
  [
    82,
    'dictionaries',
    'Dictionaries and translation',
    'deepl.com wordreference.com merriam-webster.com leo.org linguee.com',
  ],
  [88, 'drugs', 'Illegal and recreational drugs', 'erowid.org leafly.com weedmaps.com'],
  [
    93,
    'education',
    'Schools, universities, courses',
    'mit.edu ox.ac.uk coursera.org khanacademy.org edx.org udemy.com duolingo.com',
  ],
  [97, 'electronics', 'Consumer electronics', 'samsung.com sony.com philips.com bose.com mediamarkt.de'],
  [103, 'energy', 'Power, oil and gas', 'totalenergies.com shell.com edf.fr eon.com bp.com'],
  [108, 'fashion', 'Clothes and luxury', 'zara.com hm.com nike.com adidas.com zalando.com'],
  [
    112,
    'file_sharing',
    'Peer-to-peer and torrents',
    'thepiratebay.org 1337x.to rarbg.to bittorrent.com utorrent.com',
  ],
  [
    117,
    'finance_news',
    'Markets and trading',
    'bloomberg.com ft.com wsj.com marketwatch.com investing.com boursorama.com',
  ],
  [121, 'forums', 'Discussion boards', 'reddit.com quora.com 4chan.org phpbb.com'],
  [126, 'gambling', 'Betting and casinos', 'bet365.com pokerstars.com bwin.com unibet.com williamhill.com'],
  [
    131,
    'games',
    'Video games',
    'steampowered.com epicgames.com roblox.com minecraft.net ea.com nintendo.com twitch.tv',
  ],
  [136, 'genealogy', 'Family trees', 'ancestry.com myheritage.com geneanet.org familysearch.org'],
  [142, 'government', 'Public administration', 'gov.uk usa.gov service-public.fr bund.de europa.eu nasa.gov'],
  [147, 'hacking', 'Attack tools and instructions', 'exploit-db.com hackforums.net nulled.to'],
  [151, 'health', 'Medicine and hospitals', 'who.int webmd.com mayoclinic.org doctolib.fr nhs.uk'],
  [
    156,
    'hobby_diy',
    'Do it yourself, gardening',
    'ikea.com leroymerlin.fr homedepot.com instructables.com pinterest.com',
  ],
  [
    160,
    'hosting',
    'Web hosting and domain names',
    'ovhcloud.com godaddy.com hetzner.com gandi.net digitalocean.com namecheap.com',
  ],
  [164, 'humour', 'Jokes and memes', '9gag.com theonion.com cheezburger.com'],
  [169, 'insurance', 'Insurance companies', 'axa.com allianz.com aviva.com zurich.com'],
  [
    173,
    'job_search',
    'Job offers and careers',
    'indeed.com monster.com glassdoor.com stepstone.de linkedin.com',
  ],
  [178, 'law', 'Legal information', 'legifrance.gouv.fr justia.com law.cornell.edu'],
  [183, 'maps', 'Maps and routes', 'openstreetmap.org waze.com viamichelin.com here.com'],
  [188, 'malware', 'Sites that spread harmful software', 'eicar.org wicar.org amtso.org'],
  [
    194,
    'news',
    'Newspapers and agencies',
    'bbc.co.uk cnn.com lemonde.fr nytimes.com theguardian.com spiegel.de reuters.com apnews.com',
  ],
  [
    199,
    'online_office',
    'Documents in the browser',
    'docs.google.com office.com notion.so airtable.com overleaf.com',
  ],
  [203, 'parked_domains', 'Domain names without a site', 'sedoparking.com parkingcrew.net bodis.com'],
  [
    207,
    'personal_allowed',
    'Allowed by our own decision',
    'intranet.northwind.example suppliers.northwind.example',
  ],
  [208, 'personal_blocked', 'Blocked by our own decision', 'free-gift-cards.example win-a-phone.example'],
  [
    213,
    'phishing',
    'Sites that steal credentials',
    'paypa1-login.example micros0ft-account.example secure-update.example',
  ],
  [218, 'photography', 'Photo sharing', 'flickr.com 500px.com unsplash.com imgur.com shutterstock.com'],
  [223, 'pornography', 'Adult content', 'pornhub.com xvideos.com xhamster.com onlyfans.com'],
  [228, 'real_estate', 'Houses and flats', 'zillow.com seloger.com immobilienscout24.de rightmove.co.uk'],
  [
    233,
    'remote_access',
    'Remote control of computers',
    'teamviewer.com anydesk.com logmein.com splashtop.com',
  ],
  [238, 'religion', 'Religions and beliefs', 'vatican.va islamweb.net chabad.org'],
  [243, 'science', 'Research and journals', 'nature.com science.org arxiv.org cern.ch nasa.gov'],
  [
    247,
    'search_engines',
    'Search and portals',
    'google.com bing.com duckduckgo.com qwant.com yahoo.com ecosia.org',
  ],
  [
    252,
    'shopping',
    'Online shops and auctions',
    'example.com amazon.com ebay.com aliexpress.com etsy.com walmart.com cdiscount.com zalando.com',
  ],
  [
    257,
    'social_networks',
    'Social networks',
    'facebook.com instagram.com linkedin.com x.com tiktok.com snapchat.com pinterest.com reddit.com',
  ],
  [
    262,
    'software_updates',
    'Updates of systems and programs',
    'windowsupdate.com download.microsoft.com archive.ubuntu.com deb.debian.org',
  ],
  [267, 'sports', 'Sports and results', 'espn.com fifa.com uefa.com lequipe.fr nba.com strava.com'],
  [
    272,
    'travel',
    'Journeys and hotels',
    'booking.com airbnb.com expedia.com tripadvisor.com ryanair.com sncf-connect.com',
  ],
  [
    277,
    'video_streaming',
    'Films and video',
    'youtube.com netflix.com vimeo.com dailymotion.com disneyplus.com twitch.tv',
  ],
  [
    282,
    'vpn_anonymizers',
    'Ways around the filter',
    'nordvpn.com expressvpn.com protonvpn.com torproject.org hide.me',
  ],
  [287, 'weapons', 'Weapons and ammunition', 'glock.com beretta.com gunbroker.com'],
  [291, 'weather', 'Forecasts', 'weather.com meteofrance.com accuweather.com wetter.com'],
  [296, 'webmail', 'Mail in the browser', 'gmail.com outlook.com proton.me gmx.net mail.yahoo.com'],
];

/** What the name service answers for the categories nobody may reach. */
const redirected = new Set(['malware', 'phishing', 'personal_blocked']);

/** The categories, by ID. */
export function foundCategories(): Map<number, SimulatedCategory> {
  return new Map(
    found.map(([id, name, description, sites]) => {
      const enabled = redirected.has(name);
      const rpz = { enabled, action: enabled ? 1 : 0, redirect: enabled ? 'blocked.northwind.example' : '' };
      return [
        id,
        { id, name, description, table: `category_${name}`, rpz, sites: new Set(sites.split(' ')) },
      ];
    }),
  );
}
