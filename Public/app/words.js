// What the interface itself says, in both languages. What the shop says stays as the shop wrote it.

import { language } from "/app/preferences.js";

const words = {
  ko: {
    skip: "본문으로 건너뛰기",
    search: "반찬 찾기",
    searchHint: "김치, 국, ㅂㄱㄱ…",
    footLine: "매일의 밥상에 올리는 반찬",
    more: "더 보기",
    docs: "개발자 문서",
    panel: "사진 캐시 보기",
    toLanguage: "English",
    toDark: "어둡게",
    toLight: "밝게",
    featured: "지금 가장 좋은 반찬",
    collections: "골라 보는 재미",
    sections: "코너",
    count: (count) => `${count}가지`,
    price: "판매가",
    listPrice: "정가",
    discount: (percent) => `${percent}% 할인`,
    soldOut: "품절",
    soldOutNote: "지금은 다 팔렸습니다. 다시 만들면 이 자리에 돌아옵니다.",
    stockLeft: (count) => `${count}개 남음`,
    found: (typed, count) => (count === 0 ? `‘${typed}’에 맞는 반찬이 없습니다` : `‘${typed}’ 반찬 ${count}가지`),
    foundNothing: "다른 이름으로 찾아보세요. ‘ㄱㅊ’처럼 첫소리만 적어도 됩니다.",
    clearSearch: "모두 보기",
    empty: "아직 진열된 반찬이 없습니다.",
    home: "처음으로",
    gallery: "사진",
    photo: (number, count) => `사진 ${number}/${count}`,
    points: "적립",
    pointsValue: (points) => `${points.toLocaleString("ko")}원`,
    deliveryTypes: "배송 방법",
    delivery: "배송 안내",
    fee: "배송비",
    notices: "상품정보 고시",
    details: "자세히 보기",
    related: (section) => `${section} 더 보기`,
    missing: "찾으시는 반찬이 없습니다",
    missingNote: "판매가 끝났거나 주소가 바뀌었을 수 있습니다.",
    gone: "가게에 연결할 수 없습니다",
    goneNote: "잠시 뒤 다시 열립니다. 연결되면 이 화면이 저절로 바뀝니다.",
    retry: "다시 연결",
    kept: "연결이 끊겼습니다. 저장해 둔 내용을 보여 드립니다.",
    back: "다시 연결되었습니다.",
    restLater: "자세한 정보는 다시 연결되면 보여 드립니다.",
    changed: "진열이 바뀌었습니다.",
    pictureFailed: "사진을 불러오지 못했습니다",
    panelTitle: "사진 캐시",
    panelClose: "닫기",
    panelAsked: (count) => `원본 서버에 ${count}번 물었습니다`,
    panelNote: "이 화면에서 불러온 사진이 어디에서 왔는지 보여 줍니다.",
    panelNone: "아직 불러온 사진이 없습니다.",
    panelStates: {
      hit: "캐시",
      miss: "원본에서 가져옴",
      collapsed: "같이 기다림",
      stale: "오래된 사본",
      browser: "브라우저",
      kept: "오프라인 사본",
      unknown: "알 수 없음",
    },
  },
  en: {
    skip: "Skip to content",
    search: "Search dishes",
    searchHint: "김치, 국, ㅂㄱㄱ…",
    footLine: "Side dishes for the everyday table",
    more: "More",
    docs: "For developers",
    panel: "Show picture cache",
    toLanguage: "한국어",
    toDark: "Dark",
    toLight: "Light",
    featured: "Best right now",
    collections: "Picked for you",
    sections: "Sections",
    count: (count) => (count === 1 ? "1 dish" : `${count} dishes`),
    price: "Price",
    listPrice: "List price",
    discount: (percent) => `${percent}% off`,
    soldOut: "Sold out",
    soldOutNote: "All gone for now. When it is made again, it is back here.",
    stockLeft: (count) => `${count} left`,
    found: (typed, count) =>
      count === 0 ? `No dish matches “${typed}”` : `${count === 1 ? "1 dish" : `${count} dishes`} for “${typed}”`,
    foundNothing: "Try another name. First consonants are enough: ㄱㅊ finds 김치.",
    clearSearch: "Show all",
    empty: "There is nothing on the shelves yet.",
    home: "Home",
    gallery: "Pictures",
    photo: (number, count) => `Picture ${number} of ${count}`,
    points: "Points",
    pointsValue: (points) => `₩${points.toLocaleString("en")}`,
    deliveryTypes: "Delivery",
    delivery: "About delivery",
    fee: "Delivery fee",
    notices: "Product information",
    details: "A closer look",
    related: (section) => `More from ${section}`,
    missing: "This dish is not here",
    missingNote: "It may no longer be sold, or its address has changed.",
    gone: "The shop cannot be reached",
    goneNote: "It will be back in a moment. This page changes by itself when it is.",
    retry: "Try again",
    kept: "The connection is lost. You see what was kept.",
    back: "Connected again.",
    restLater: "The rest is shown as soon as the shop can be reached.",
    changed: "The shelves have changed.",
    pictureFailed: "The picture could not be loaded",
    panelTitle: "Picture cache",
    panelClose: "Close",
    panelAsked: (count) => (count === 1 ? "The origin was asked once" : `The origin was asked ${count} times`),
    panelNote: "Where the pictures loaded by this page came from.",
    panelNone: "No picture has been loaded yet.",
    panelStates: {
      hit: "cache hit",
      miss: "from the origin",
      collapsed: "shared fetch",
      stale: "stale copy",
      browser: "browser",
      kept: "offline copy",
      unknown: "unknown",
    },
  },
};

/** A text of the interface; one that depends on values is a function of them. */
export function word(key, ...values) {
  const found = words[language.current][key];
  return typeof found === "function" ? found(...values) : found;
}

/** An amount as people of the language write it. */
export function money(amount) {
  return language.current === "ko" ? amount.text : `₩${amount.amount.toLocaleString("en")}`;
}

const badges = { launch: "New", event: "Deal", main: "Featured", best: "Best" };
const deliveryTypes = { dawn: "Dawn delivery", parcel: "Parcel" };

/** A badge's or delivery type's word: the shop's own, in English ours; of one that came later, the shop's. */
export function label(thing) {
  return (language.current === "en" && (badges[thing.id] ?? deliveryTypes[thing.id])) || thing.text;
}
