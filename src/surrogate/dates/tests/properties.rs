use chrono::Datelike;

use super::super::calendar::MONTHS;
use super::*;

fn shift() -> impl Strategy<Value = i64> {
    (8_i64..=52, any::<bool>()).prop_map(|(weeks, forwards)| if forwards { 7 * weeks } else { -7 * weeks })
}

proptest! {
    #[test]
    fn full_dates_move_exactly(days in shift(), ordinal in 690_000_i32..750_000) {
        let date = NaiveDate::from_num_days_from_ce_opt(ordinal).unwrap();
        let image = NaiveDate::from_num_days_from_ce_opt(ordinal + days as i32).unwrap();
        let (year, month, day) = (date.year(), date.month(), date.day());
        let same = |from: String, to: String| assert_eq!(moved(days, &from), to);
        let (y, m, d) = (image.year(), image.month(), image.day());
        same(format!("{year}-{month:02}-{day:02}"), format!("{y}-{m:02}-{d:02}"));
        same(format!("{year}{month:02}{day:02}"), format!("{y}{m:02}{d:02}"));
        let [name, other] = [month, m].map(|month| Casing::Title.apply(MONTHS[0][month as usize - 1]));
        same(format!("{name} {day}, {year}"), format!("{other} {d}, {y}"));
        same(format!("{day} {name} {year}"), format!("{d} {other} {y}"));
        let image = moved(days, &format!("{month}/{day}/{year}"));
        let read: Vec<i32> = image.split('/').map(|part| part.parse().unwrap()).collect();
        prop_assert_eq!(read, vec![m as i32, d as i32, y]);
    }

    #[test]
    fn partial_dates_never_stay(days in shift(), month in 1_u32..=12, day in 1_u32..=31, year in 1900..2050) {
        let name = MONTHS[0][month as usize - 1];
        let short = year % 100;
        let values = [
            format!("{month}/{day}"),
            format!("{month}/{year}"),
            name.to_string(),
            format!("{name} {day}"),
            format!("{name} {year}"),
            format!("{name} '{short:02}"),
            format!("{year}"),
            format!("{day}"),
        ];
        for value in values {
            prop_assert_ne!(moved(days, &value), value);
        }
    }

    #[test]
    fn any_text_is_survived_and_changes(days in shift(), value in "(\\PC|[0-9/ -]|march|Q|th|'){0,24}") {
        let image = moved(days, &value);
        prop_assert!(image != value || value.is_empty());
    }
}
