import type { ReactNode } from 'react';

/** Line icons, drawn here so that the page loads nothing from outside. */
const icon = (drawing: ReactNode) =>
  function Icon() {
    return (
      <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
        <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
          {drawing}
        </g>
      </svg>
    );
  };

export const AnchorIcon = icon(
  <path d="M10 6.200v10.300M10 6.200a1.850 1.850 0 1 0 0-3.700 1.850 1.850 0 0 0 0 3.700ZM7 8.700h6M3.700 11.500c.4 3.200 3 5 6.300 5s5.900-1.800 6.300-5" />,
);
export const HashIcon = icon(
  <path d="M7.600 3.500 6 16.500M14 3.500l-1.600 13M3.700 7.500h13M3.300 12.500h13" />,
);
export const CaretIcon = icon(<path d="m6 8 4 4 4-4" />);
export const CheckIcon = icon(<path d="m4.500 10.500 3.500 3.500 7.500-8" />);
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const MenuIcon = icon(<path d="M3.500 5.500h13M3.500 10h13M3.500 14.500h13" />);
export const ReplyIcon = icon(
  <path d="M10 3.200c4 0 7 2.600 7 6s-3 6-7 6c-.9 0-1.800-.1-2.600-.4L3.800 16l.9-2.900A5.500 5.500 0 0 1 3 9.200c0-3.400 3-6 7-6ZM7 8h6M7 10.800h3.500" />,
);
export const EyeIcon = icon(
  <>
    <path d="M2.500 10S5.200 5 10 5s7.500 5 7.500 5-2.700 5-7.500 5-7.500-5-7.500-5Z" />
    <circle cx="10" cy="10" r="2.200" />
  </>,
);
export const SendIcon = icon(
  <path
    d="M3.200 3.700 17 10 3.200 16.300l1.600-5L11 10 4.800 8.700Z"
    fill="currentColor"
    stroke="currentColor"
    strokeWidth="1"
  />,
);
export const BoltIcon = icon(<path d="M11.200 2.800 4.500 11.200h4.300l-.8 6 6.700-8.400h-4.300Z" />);
export const SmileIcon = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M7 12c.8 1.200 1.800 1.800 3 1.800s2.200-.6 3-1.800M7.600 8v.100M12.400 8v.100" />
  </>,
);
export const MoreIcon = icon(
  <g fill="currentColor" stroke="none">
    <circle cx="10" cy="4.800" r="1.400" />
    <circle cx="10" cy="10" r="1.400" />
    <circle cx="10" cy="15.200" r="1.400" />
  </g>,
);
export const BotIcon = icon(
  <>
    <rect x="3.500" y="7" width="13" height="9" rx="2.500" />
    <path d="M10 7V4.200M10 4.200a.8.8 0 1 0 0-1.600.8.8 0 0 0 0 1.600ZM7.500 10.800v1.400M12.500 10.800v1.400" />
  </>,
);
export const ApplianceIcon = icon(
  <>
    <rect x="2.800" y="4" width="14.400" height="5.200" rx="1.600" />
    <rect x="2.800" y="10.800" width="14.400" height="5.200" rx="1.600" />
    <path d="M5.800 6.600h.01M5.800 13.400h.01M9 6.600h5M9 13.400h5" />
  </>,
);
export const PaperclipIcon = icon(
  <path d="m15.800 9.300-5.900 5.900a3.600 3.600 0 0 1-5.100-5.100l6.300-6.300a2.400 2.400 0 0 1 3.400 3.400l-6.200 6.200a1.200 1.200 0 0 1-1.700-1.700l5.400-5.400" />,
);
export const FileIcon = icon(
  <path d="M11.500 2.800H6A1.500 1.500 0 0 0 4.500 4.300v11.400A1.500 1.500 0 0 0 6 17.200h8a1.500 1.500 0 0 0 1.500-1.500V6.800ZM11.500 2.800v4h4M7.500 10.500h5M7.500 13.500h3.500" />,
);
export const DownloadIcon = icon(<path d="M10 3.500v9M6.300 9l3.700 3.700L13.700 9M3.800 16.300h12.400" />);
