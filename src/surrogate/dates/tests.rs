mod properties;

use super::calendar::SEASONS;
use super::*;
use crate::surrogate::casing::Casing;
use proptest::prelude::*;

fn moved(days: i64, value: &str) -> String {
    replace(&Randomness::new([4; 32]), Moving::forth(days, None), Kind::Unknown, value)
}

#[test]
fn the_day_comes_first_where_a_site_says_so() {
    let day_first = Moving::forth(35, None).in_order(DateOrder::DayFirst);
    let written = |moving, value: &str| replace(&Randomness::new([4; 32]), moving, Kind::Unknown, value);
    for (value, day, month) in [
        ("03/04/2019", "08/05/2019", "04/08/2019"),
        ("3.4.2019", "8.5.2019", "4.8.2019"),
        ("03-04-19", "08-05-19", "04-08-19"),
        ("03042019", "08052019", "04082019"),
        ("030419", "080519", "040819"),
        ("2/4", "7/5", "3/11"),
        ("2019-03-04", "2019-04-08", "2019-04-08"),
        ("2019/03/04", "2019/04/08", "2019/04/08"),
        ("15/04/2019", "20/05/2019", "20/05/2019"),
        ("04/15/2019", "05/20/2019", "05/20/2019"),
        ("3 April 2019", "8 May 2019", "8 May 2019"),
    ] {
        assert_eq!(written(day_first, value), day, "{value}");
        assert_eq!(written(Moving::forth(35, None), value), month, "{value}");
        let back = before(&Randomness::new([4; 32]), day_first, Kind::Unknown, day);
        assert!(back.contains(&value.to_owned()), "{value}: {back:?}");
    }
    assert_eq!(first_day("03/04/2019", DateOrder::DayFirst), NaiveDate::from_ymd_opt(2019, 4, 3));
}

#[test]
fn parts_that_nobody_knew_and_clock_times_stay() {
    for (value, image) in [
        ("2019-03-00", "2019-04-00"),
        ("00/03/2019", "00/04/2019"),
        ("2019-03-04T10", "2019-04-08T10"),
        ("2019-03-04 10 AM", "2019-04-08 10 AM"),
        ("2019-03-04 at 3pm", "2019-04-08 at 3pm"),
        ("2019-03-04 10:11:12,5", "2019-04-08 10:11:12,5"),
        ("March 4, 2019 10am", "April 8, 2019 10am"),
    ] {
        assert_eq!(moved(35, value), image, "{value}");
        let back = before(&Randomness::new([4; 32]), Moving::forth(35, None), Kind::Unknown, image);
        assert!(back.contains(&value.to_owned()), "{value}: {back:?}");
    }
    assert_ne!(moved(35, "2019-00-00"), "2019-00-00");
}

proptest! {
    #[test]
    fn written_with_the_day_first_or_with_a_name_it_is_the_same_day(number in 0..36_500_i64, days in -364..364_i64, mark in "[/.-]") {
        prop_assume!(days != 0);
        let day = NaiveDate::from_ymd_opt(1930, 1, 1).unwrap() + chrono::Duration::days(number);
        let moving = Moving::forth(days, None).in_order(DateOrder::DayFirst);
        let randomness = Randomness::new([4; 32]);
        let written = |form: &str| replace(&randomness, moving, Kind::DateFull, &day.format(form).to_string());
        let moved = day + chrono::Duration::days(days);
        let numbers = format!("%d{mark}%m{mark}%Y");
        prop_assert_eq!(written(&numbers), moved.format(&numbers).to_string());
        prop_assert_eq!(written("%-d %B %Y"), moved.format("%-d %B %Y").to_string());
    }
}

#[test]
fn dates_that_tell_an_age_over_89_are_of_the_oldest_year() {
    for (value, image) in [
        ("03/04/1925", "01/07/1937"),
        ("03/04/1937", "01/07/1937"),
        ("03/04/1938", "01/07/1938"),
        ("3/4/32", "1/7/37"),
        ("3/4/25", "1/7/25"),
        ("19250304", "19370107"),
        ("030432", "010737"),
        ("192503", "193701"),
        ("29 February 1924", "4 January 1937"),
        ("Wednesday, March 4, 1925", "Thursday, January 7, 1937"),
        ("March 1925", "January 1937"),
        ("1925", "1937"),
        ("'32", "'37"),
        ("in nineteen twenty-five", "in nineteen thirty-seven"),
        ("the 1920s", "the 1930s"),
        ("nineteen hundred and twenty-five", "nineteen thirty-seven"),
        ("1925-27", "1937-37"),
        ("1925/26", "1937/37"),
        ("2014/15", "2013/14"),
        ("3/4/1930 - 3/7/1931", "1/7/1937 - 1/10/1937"),
        ("7/21", "5/26"),
    ] {
        let moving = Moving::forth(-56, None).not_before(Some(1937));
        assert_eq!(replace(&Randomness::new([4; 32]), moving, Kind::Unknown, value), image, "{value}");
    }
    // Near a note's day, two digits are no year to come after it.
    let near = |year| Moving::forth(-56, NaiveDate::from_ymd_opt(year, 6, 1)).not_before(Some(1937));
    let written = |moving| replace(&Randomness::new([4; 32]), moving, Kind::Unknown, "3/4/15");
    assert_eq!([written(near(2012)), written(near(2014))], ["1/7/37", "1/7/15"]);
    // One that a year back would be what it was stays where it was taken to.
    let moving = Moving::forth(-365, None).not_before(Some(1937));
    let year_back = replace(&Randomness::new([4; 32]), moving, Kind::DateFull, "03/04/1936");
    assert_eq!(year_back, "03/04/1937");
}

#[test]
fn written_forms_are_kept() {
    for (value, image) in [
        ("03/04/2019", "01/07/2019"),
        ("3/4/19", "1/7/19"),
        ("3-4-2019", "1-7-2019"),
        ("2019-03-04", "2019-01-07"),
        ("2019/03/04", "2019/01/07"),
        ("03.04.2019", "01.07.2019"),
        ("20190304", "20190107"),
        ("03042019", "01072019"),
        ("030419", "010719"),
        ("20190304101112", "20190107101112"),
        ("04MAR2019", "07JAN2019"),
        ("05MAR14", "08JAN14"),
        ("Mar 4, 2019", "Jan 7, 2019"),
        ("Mar. 4, 2019", "Jan. 7, 2019"),
        ("Sept 30, 2019", "Aug 5, 2019"),
        ("March 4th, 2014", "January 7th, 2014"),
        ("MARCH 29TH 2014", "FEBRUARY 1ST 2014"),
        ("4 March 2019", "7 January 2019"),
        ("the 4th of March, 2019", "the 7th of January, 2019"),
        ("March 2014", "January 2014"),
        ("Mar '14", "Jan '14"),
        ("March of 2014", "January of 2014"),
        ("3/2014", "1/2014"),
        ("2014-03", "2014-01"),
        ("7/21", "5/26"),
        ("July 21", "May 26"),
        ("21 July", "26 May"),
        ("18-May-2020", "23-Mar-2020"),
        ("18MAY2020", "23MAR2020"),
        ("18 May 2020", "23 March 2020"),
        ("March", "January"),
        ("Nov/Dec 2014", "Sep/Oct 2014"),
        ("Jan-Mar 2014", "Nov-Jan 2014"),
        ("2014-03-04 to 2014-03-10", "2014-01-07 to 2014-01-13"),
        ("14-Mar-19", "17-Jan-19"),
        ("3/4-3/7", "1/7-1/10"),
        ("25/12/2019", "30/10/2019"),
        ("02/30/2019", "01/05/2019"),
        ("2014", "2013"),
        ("'98", "'97"),
        ("1990s", "1980s"),
        ("the 1990's", "the 1980's"),
        ("2018-2019", "2017-2018"),
        ("2018-19", "2017-18"),
        ("March 3-5", "January 6-8"),
        ("March 3-5, 2014", "January 6-8, 2014"),
        ("March 28-30, 2014", "January 31-February 2, 2014"),
        ("3-5 March 2014", "6-8 January 2014"),
        ("3/4-3/7/2019", "1/7-1/10/2019"),
        ("3/4/2019 - 3/7/2019", "1/7/2019 - 1/10/2019"),
        ("March 3 to April 5, 2014", "January 6 to February 8, 2014"),
        ("Tuesday, March 4, 2014", "Tuesday, January 7, 2014"),
        ("2019-03-04T10:11:12", "2019-01-07T10:11:12"),
        ("2019-03-04 10:11:12.345+01:00", "2019-01-07 10:11:12.345+01:00"),
        ("20190304T101112", "20190107T101112"),
        ("March fourth", "January seventh"),
        ("March fourth, twenty fourteen", "January seventh, twenty fourteen"),
        ("January first twenty fourteen", "November sixth twenty thirteen"),
        ("in nineteen ninety-eight", "in nineteen ninety-seven"),
        ("3 de marzo de 2014", "6 de enero de 2014"),
        ("4.III.2014", "7.I.2014"),
        ("24-X-2014", "29-VIII-2014"),
        ("4 maart 2014", "7 januari 2014"),
        ("24 października 2014", "29 sierpnia 2014"),
        ("4 Mart 2014", "7 Ocak 2014"),
        ("15 févr. 2014", "21 déc. 2013"),
        ("12/25", "10/30"),
        ("2/14 and 2/15", "12/20 and 12/21"),
        ("3/4-5/2019", "1/7-8/2019"),
        ("5/2019-6/2019", "3/2019-4/2019"),
        ("3/4/14, 3/5/14 and 3/9/14", "1/7/14, 1/8/14 and 1/12/14"),
        ("1/2/2020", "11/7/2019"),
        ("4th of July, 2014", "9th of May, 2014"),
        ("2019-03-04 10:11:12+00", "2019-01-07 10:11:12+00"),
        ("2019-03-04T10:11:12-0500", "2019-01-07T10:11:12-0500"),
        ("Mon, 04 Mar 2019 10:11:12 -0500", "Mon, 07 Jan 2019 10:11:12 -0500"),
        ("04-MAR-19 10.11.12.000000 AM", "07-JAN-19 10.11.12.000000 AM"),
        ("20190304 101112", "20190107 101112"),
        ("10:30-03/04/2019", "10:30-01/07/2019"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
}

#[test]
fn misspelt_months_and_those_of_other_scripts_are_moved() {
    for (value, image) in [
        ("Febuary 14, 1952", "December 20, 1951"),
        ("Agust 4th, 2019", "June 9th, 2019"),
        ("DECEMEBER 5 2018", "OCTOBER 10 2018"),
        ("Novemeber 2018", "September 2018"),
        ("Wendesday, Setpember 4, 2019", "Wednesday, July 10, 2019"),
        ("4 марта 2019", "7 января 2019"),
        ("3. Jänner 2020", "8. November 2019"),
        ("3. Jaenner 2020", "8. November 2019"),
        ("1er mars 2019", "4 janvier 2019"),
        ("26 février 2019", "1 janvier 2019"),
        ("1er avril 2019", "4 février 2019"),
        ("DOB 3/4/1952", "DOB 1/8/1952"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
}

/// Beside a full date, a day that moved by a step of the shift would tell it; a weekday beside it moves with it.
#[test]
fn a_day_without_month_moves_as_the_shift_does_not_tell() {
    let steps: std::collections::BTreeSet<String> = (1..52).map(|weeks| moved(7 * weeks, "the 6th")).collect();
    assert_eq!(steps.len(), 1, "{steps:?}");
    let image = moved(56, "Tuesday the 5th");
    assert!(!image.contains("Tuesday") && !image.contains("5th"), "{image}");
    let back = before(&Randomness::new([4; 32]), Moving::forth(56, None), Kind::Unknown, &image);
    assert!(back.contains(&"Tuesday the 5th".to_owned()), "{back:?}");
}

#[test]
fn words_that_no_date_has_are_replaced_and_are_no_reason_to_read_a_day_as_a_month() {
    let alone: String = moved(56, "the 4th").chars().filter(char::is_ascii_digit).collect();
    for value in ["Xyzzy 4, 2019", "4 Xyzzy 2019", "Xyzzy 4th, 2019", "4. Xyzzy 2019"] {
        let image = moved(56, value);
        assert!(!image.contains("Xyzzy") && image.ends_with("2020"), "{image}");
        // The day moves as one that stands alone does.
        assert!(image.contains(&alone), "{image}");
    }
    let image = moved(56, "3/4/2019 (Dr. Karen Jones)");
    assert!(image.starts_with("4/29/2019 (") && !image.contains("Karen") && !image.contains("Jones"), "{image}");
    let back = before(&Randomness::new([4; 32]), Moving::forth(56, None), Kind::Unknown, &image);
    assert_eq!(back, ["3/4/2019 (Dr. Karen Jones)"]);
    assert!(!moved(56, "Spring, Karen").contains("Karen"));
    assert!(!moved(56, "Christmas with Karen").contains("Karen"));
    assert!(!moved(56, "13/45 Karen").contains("Karen"));
}

#[test]
fn days_of_a_list_share_their_month() {
    for (days, value, image) in [
        (203, "March 4, 6 and 8, 2019", "September 23, 25 and 27, 2019"),
        (203, "March 4, 5 and 7, 2019", "September 23, 24 and 26, 2019"),
        (203, "4, 5 and 7 March 2019", "23, 24 and 26 September 2019"),
        (203, "March 4, 5 & 7", "September 23, 24 & 26"),
        (203, "March 4, 6, 8, 10, 11 and 12, 2019", "September 23, 25, 27, 29, 30 and October 1, 2019"),
        (203, "3/4, 3/6, and 3/8/2019", "9/23, 9/25, and 9/27/2019"),
        (203, "3/4, 5, 7/2019", "9/23, 24, 26/2019"),
        (203, "3/4, 5 and 7", "9/23, 24 and 26"),
        (203, "March 4th, 6th and 8th, 2019", "September 23rd, 25th and 27th, 2019"),
        (209, "March 4 and 6, 2019", "September 29 and October 1, 2019"),
        (209, "4th and 6th of March, 2019", "29th September and 1st of October, 2019"),
    ] {
        assert_eq!(moved(days, value), image, "{value}");
    }
    assert_eq!(moved(301, "March 4, 6 and 8, 2019"), "December 30, 2019, January 1 and January 3, 2020");
    assert_eq!(moved(301, "4, 6 and 8 March 2019"), "30 December 2019, 1 and 3 January 2020");
    // A range says so itself.
    assert_eq!(moved(301, "March 4-6, 2019"), "December 30-January 1, 2020");
}

#[test]
fn letters_that_a_scan_put_for_digits_are_read() {
    for (value, image) in [
        ("O3/l2/2O19", "O1/l5/2O19"),
        ("03/O4/2019", "01/O7/2019"),
        ("lO/12/2019", "08/17/2019"),
        ("March l4, 2O19", "January l7, 2O19"),
        ("2O19-O3-O4", "2O19-O1-O7"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
        let moving = Moving::forth(-56, None);
        let found = before(&Randomness::new([4; 32]), moving, Kind::Unknown, image);
        assert!(found.iter().all(|original| moved(-56, original) == image), "{found:?}");
    }
    assert_eq!(first_day("O3/l2/2O19", DateOrder::MonthFirst), NaiveDate::from_ymd_opt(2019, 3, 12));
}

#[test]
fn intervals_and_machine_forms_keep_the_shift_and_their_times() {
    for (value, image) in [
        ("2019-03-04/2019-03-06", "2019-01-07/2019-01-09"),
        ("2019-03-04T10:00:00Z/2019-03-06T12:00:00Z", "2019-01-07T10:00:00Z/2019-01-09T12:00:00Z"),
        ("20190304/20190306", "20190107/20190109"),
        ("2019-03/2019-05", "2019-01/2019-03"),
        ("2019-03-04/06", "2019-01-07/09"),
        ("2019-02-24/26", "2018-12-30/2019-01-01"),
        ("Mon Mar 04 2019 00:00:00 GMT-0500", "Mon Jan 07 2019 00:00:00 GMT-0500"),
        (
            "Mon Mar 04 2019 00:00:00 GMT-0500 (Eastern Standard Time)",
            "Mon Jan 07 2019 00:00:00 GMT-0500 (Eastern Standard Time)",
        ),
        ("03/04/2019 1230", "01/07/2019 1230"),
        ("03/04/2019 1230-1400", "01/07/2019 1230-1400"),
        ("20190304 1230", "20190107 1230"),
        ("2019-03-04T1230", "2019-01-07T1230"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
    assert_eq!(moved(1, "Mon Mar 04 2019 00:00:00 GMT-0500"), "Tue Mar 05 2019 00:00:00 GMT-0500");
}

#[test]
fn timestamps_of_machines_keep_time_fraction_and_zone() {
    for (value, image) in [
        ("20140305101112.123", "20140108101112.123"),
        ("20140305101112.123-0500", "20140108101112.123-0500"),
        ("20140305101112-0500", "20140108101112-0500"),
        ("20140305101112+0000", "20140108101112+0000"),
        ("201403051011-0600", "201401081011-0600"),
        ("05MAR2014:10:11:12", "08JAN2014:10:11:12"),
        ("05MAR14:10:11:12", "08JAN14:10:11:12"),
        ("05MAR2014:10:11:12.000", "08JAN2014:10:11:12.000"),
        ("05/Mar/2014:10:11:12 -0500", "08/Jan/2014:10:11:12 -0500"),
        ("2014-03-05:10:11:12", "2014-01-08:10:11:12"),
        ("01-JAN-14 10.11.12.000000000 AM", "06-NOV-13 10.11.12.000000000 AM"),
        ("2014-064", "2014-008"),
        ("2014-001", "2013-310"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
        let found = before(&Randomness::new([4; 32]), Moving::forth(-56, None), Kind::Unknown, image);
        assert!(found.contains(&value.to_owned()), "{value}: {found:?}");
    }
}

#[test]
fn stamps_of_other_machines_move_too() {
    for (value, image) in [
        ("3/5/2014:8:05", "1/8/2014:8:05"),
        ("MAR052014:10:11", "JAN082014:10:11"),
        ("MAR051920:10:11", "JAN091920:10:11"),
        ("05MAR2014:1011", "08JAN2014:1011"),
        ("05MAR14:1011", "08JAN14:1011"),
        ("2014:03:05 10:11:12", "2014:01:08 10:11:12"),
        ("05-MAR-14 10.11.12 AM", "08-JAN-14 10.11.12 AM"),
        ("2014-03-05-10.11.12", "2014-01-08-10.11.12"),
        ("20140305_101112", "20140108_101112"),
        ("2014030510", "2014010810"),
        ("20140305101112345", "20140108101112345"),
        ("20140305101112^20140306", "20140108101112^20140109"),
        ("20140305101112^S", "20140108101112^S"),
        ("05MAR20141011", "08JAN20141011"),
        ("05MAR2014101112", "08JAN2014101112"),
        ("05MAR2014101112.123", "08JAN2014101112.123"),
        ("12.IV.2018", "15.II.2018"),
        ("4.VII.68", "9.V.68"),
        ("３/４/２０１９", "１/７/２０１９"),
        ("٢٠١٩-٠٣-٠٤", "٢٠١٩-٠١-٠٧"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
        let found = before(&Randomness::new([4; 32]), Moving::forth(-56, None), Kind::Unknown, image);
        assert!(found.contains(&value.to_owned()), "{value}: {found:?}");
    }
}

#[test]
fn forms_of_wards_schools_and_accounts_move() {
    for (value, image) in [
        ("wk of 3/4", "wk of 1/7"),
        ("10-12 Mar", "13-15 Jan"),
        ("1st wk Jan", "1st wk Nov"),
        ("first Sunday in August 2019", "first Sunday in June 2019"),
        ("2nd Thurs of March", "2nd Thurs of January"),
        ("June 12, oh-nine", "April 17, oh-nine"),
        ("March fourth, nineteen", "January seventh, nineteen"),
        ("July ninth ninety-two", "May fourteenth ninety-two"),
        ("January ninth oh-nine", "November fourteenth oh-eight"),
        ("lO/2", "8/7"),
        ("l/28/25", "12/3/24"),
        ("FY19", "FY18"),
        ("SY 2018-19", "SY 2017-18"),
        ("mid-2016", "mid-2015"),
        ("early '90s", "early '80s"),
        ("3/2024-5/2024", "1/2024-3/2024"),
        ("20190304101112.1234+0100", "20190107101112.1234+0100"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
    for (value, end) in [("Q3 2019", " 2018"), ("Xmas eve 2020", " 2019"), ("Ramadan 2019", " 2018")] {
        let image = moved(-56, value);
        assert!(image.ends_with(end) && image.split(' ').next() != value.split(' ').next(), "{value} {image}");
    }
}

#[test]
fn digits_beside_a_date_or_a_time_change_and_the_date_moves() {
    for (value, image, digits) in [
        ("20140305101112^^^7153326", "20140108101112^^^", "7153326"),
        ("20140305101112^7153", "20140108101112^", "7153"),
        ("3/4/2019 10:301234567", "1/7/2019 10:", "301234567"),
        ("3/4/2019 10:30:151234", "1/7/2019 10:30:", "151234"),
        ("3/4/2019 10:30-9876", "1/7/2019 10:30-", "9876"),
        ("March 4, 2019 #71 533 26", "January 7, 2019 #", "71 533 26"),
    ] {
        let written = moved(-56, value);
        assert!(written.starts_with(image) && !written.contains(digits), "{value} {written}");
        assert_eq!(written.len(), image.len() + digits.len(), "{written}");
    }
    for value in ["20190304991112", "3/4/5/2019 1/2/2019"] {
        assert!(!moved(-56, value).contains("991112") && !moved(-56, value).contains("1/2/2019"), "{value}");
    }
    assert!(moved(-56, "3/4/5/6 and 5/6/2019").ends_with("and 3/11/2019"));
    for (value, image) in
        [("03:05:2014", "01:08:2014"), ("05:03:1920", "03:08:1920"), ("3:5:2014 10:11", "1:8:2014 10:11")]
    {
        assert_eq!(moved(-56, value), image, "{value}");
    }
    assert!(!moved(-56, "03:1920").starts_with("03"));
}

#[test]
fn numbers_in_words_never_stay() {
    for (value, image) in [
        ("March fifth nineteen fifty", "January eighth nineteen fifty"),
        ("March five, nineteen fifty", "January eight, nineteen fifty"),
        ("March twenty-five", "January twenty-eight"),
        ("March 5 at ten thirty", "January 8 at ten thirty"),
        ("two weeks before March 5", "two weeks before January 8"),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
    for value in ["March one nine five seven", "three forty 2014", "five six fifty"] {
        let image = moved(-56, value);
        let stay = value.split(' ').zip(image.split(' ')).any(|(word, other)| word == other);
        assert!(!stay, "{value} {image}");
    }
    // Behind a day and its month is a year, or nothing that is read.
    for (value, start) in
        [("5 march one", "8 january "), ("5th of March four", "8th of January "), ("five March nine", "eight January ")]
    {
        let image = moved(-56, value);
        let kept = value.rsplit([' ', '-']).next().is_some_and(|last| image.ends_with(last));
        assert!(image.starts_with(start) && !kept, "{value} {image}");
        let found = before(&Randomness::new([4; 32]), Moving::forth(-56, None), Kind::Unknown, &image);
        assert!(found.iter().all(|original| moved(-56, original) == image), "{found:?}");
    }
    for (value, word) in [("13/45 twenty-first", "twenty-first"), ("3/4/5/6 nineteen fifty", "nineteen fifty")] {
        assert!(!moved(-56, value).contains(word), "{value}");
    }
    // No month is told by an ordinal.
    for value in ["first and second", "first half of 2019"] {
        let image = moved(-56, value);
        let first = image.split(' ').next().unwrap_or_default();
        assert!(first != "first" && first.starts_with(char::is_alphabetic), "{image}");
    }
    let image = moved(-56, "5, March one, two and three");
    let kept = image.split(' ').zip("5, March one, two and three".split(' ')).filter(|(word, other)| word == other);
    assert_eq!(kept.map(|(word, _)| word).collect::<Vec<_>>(), ["and"], "{image}");
}

#[test]
fn what_comes_round_moves_beside_holidays_and_what_is_not_read() {
    let christmas = moved(-56, "Christmas");
    for (value, image) in [
        ("Christmas nineteen fifty", format!("{christmas} nineteen forty-nine")),
        ("the twenty-first, Easter", format!("{}, {}", moved(-56, "the twenty-first"), moved(-56, "Easter"))),
        ("Christmas or Easter 2019", format!("{christmas} or {}", moved(-56, "Easter 2019"))),
        ("Christmas/Easter", format!("{christmas}/{}", moved(-56, "Easter"))),
        ("Monday, Christmas", format!("{}, {christmas}", moved(-56, "Monday"))),
        ("Eid al-Fitr 2019", format!("{} 2018", moved(-56, "Eid al-Fitr"))),
        ("Eid 2019", format!("{} 2018", moved(-56, "Eid al-Fitr"))),
        ("Navidad 2019", format!("{christmas} 2018")),
        ("the late nineties", String::from("the late eighties")),
        ("In the Nineties", String::from("In the Eighties")),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
    }
    assert_eq!(moved(56, "early nineties"), "early twenties");
    let image = moved(-56, "summer, late nineties");
    assert!(!image.contains("summer") && image.ends_with(", late eighties"), "{image}");
    assert!(!moved(-56, "Tuesday 13/45").contains("Tuesday"));
    for (value, name) in [("3/4/2019 (Martin King)", "Martin"), ("Christmas with Patrick", "Patrick")] {
        assert!(!moved(-56, value).contains(name), "{value}");
    }
    // Beside a whole date a weekday moves as far as the date.
    assert!(moved(-56, "Tuesday 3/5/2019 (70)").starts_with("Tuesday 1/8/2019 ("));
    assert!(moved(-55, "Tuesday 3/5/2019 (70)").starts_with("Wednesday 1/9/2019 ("));
}

#[test]
fn a_year_is_that_of_the_date_beside_it() {
    for (days, value, image) in [
        (-56, "December 23 to January 1, 2014", "October 28 to November 6, 2013"),
        (364, "December 23 to January 1, 2014", "December 22 to December 31, 2014"),
        (7, "December 23 to January 1, 2014", "December 30 to January 8, 2014"),
        (14, "23 December to 1 January 2014", "6 January to 15 January 2014"),
        (364, "12/29, 1/7/1975", "12/28, 1/6/1976"),
        (364, "March-May 2014", "March-May 2015"),
        (364, "March/April 2014", "March/April 2015"),
        (364, "Nov-Jan 2014", "Nov-Jan 2015"),
        // One that comes to be of another year says so.
        (233, "5/11-5/20/2016", "12/30/2016-1/8/2017"),
        (233, "05/11/16", "12/30/16"),
        (233, "May 11th to May 20th, 2016", "December 30th, 2016 to January 8th, 2017"),
        (233, "11 May to 20 May 2016", "30 December 2016 to 8 January 2017"),
        (302, "Feb 22, Mar 3 and Mar 25, 1985", "Dec 21, Dec 30, 1985 and Jan 21, 1986"),
    ] {
        assert_eq!(moved(days, value), image, "{value}");
        // And so it is read again.
        let read = before(&Randomness::new([4; 32]), Moving::forth(days, None), Kind::Unknown, image);
        assert!(!read.is_empty(), "{image}");
    }
    let first = first_day("December 23 to January 1, 2014", DateOrder::MonthFirst);
    assert_eq!(first, NaiveDate::from_ymd_opt(2013, 12, 23));
}

#[test]
fn forms_of_fixed_width_keep_two_digits() {
    for (days, value, image) in [
        (-252, "17-Dec-78", "09-Apr-78"),
        (1, "2001-Mar-31", "2001-Apr-01"),
        (-252, "Sat, 17 Oct", "Sat, 07 Feb"),
        (-252, "Sat, 17 Oct 2015 10:11:12 +0000", "Sat, 07 Feb 2015 10:11:12 +0000"),
        (-252, "17 December 1978", "9 April 1978"),
        (-252, "17 Dec 1978", "9 Apr 1978"),
        (-252, "December 17, 1978", "April 9, 1978"),
    ] {
        assert_eq!(moved(days, value), image, "{value}");
    }
}

#[test]
fn what_is_no_calendar_day_changes_in_kind() {
    let seasons = ["spring", "summer", "fall", "winter"];
    assert!(seasons.contains(&moved(56, "summer").as_str()) && moved(56, "summer") != "summer");
    assert!(moved(56, "Spring 2014").ends_with(" 2015"));
    assert!(moved(56, "Q1 2014").starts_with('Q') && moved(56, "Q1 2014").ends_with(" 2015"));
    assert!(moved(56, "first quarter of 2014").ends_with(" quarter of 2015"));
    assert!(moved(56, "Wednesday").ends_with("day") && moved(56, "Wednesday") != "Wednesday");
    assert!(moved(56, "CHRISTMAS 2013").ends_with(" 2014"));
    assert_ne!(moved(56, "Thanksgiving"), "Thanksgiving");
    for value in ["13/45/2019", "the 4th", "yesterday", "00/00/0000", "3/4/5/6/7", "99999999", "twenty nineteen"] {
        assert_ne!(moved(56, value), value);
    }
}

#[test]
fn a_season_becomes_another_of_its_language() {
    let spring = moved(-56, "spring");
    let step = SEASONS[0].iter().position(|name| *name == spring).unwrap();
    for row in [0, 1, 2, 3, 6, 7] {
        for (season, name) in SEASONS[row].iter().enumerate() {
            let is_shared = SEASONS[..row].iter().flatten().any(|other| other == name);
            let other = SEASONS[row][(season + step) % 4];
            assert!(is_shared || moved(-56, &format!("{name} 2019")) == format!("{other} 2018"), "{name}");
        }
    }
    let [summer, winter] = [1, 3].map(|season| Casing::Title.apply(SEASONS[3][(season + step) % 4]));
    assert_eq!(moved(-56, "Sommer/Winter 2017"), format!("{summer}/{winter} 2016"));
    assert_eq!(moved(-56, "ÉTÉ 2018"), format!("{} 2017", moved(-56, "été").to_uppercase()));
    assert_eq!(moved(-56, "autumn 2019"), moved(-56, "fall 2019"));
    // A Swedish word that is one with its accent only.
    assert_eq!(moved(-56, "var 2019"), "var 2018");
}

#[test]
fn plain_words_stay_beside_a_date_and_names_do_not() {
    for (value, image) in [
        ("mother 2019", "mother 2018"),
        ("labor since 3/4", "labor since 1/7"),
        ("since 2019", "since 2018"),
        ("onset 3/4", "onset 1/7"),
        ("3/4/2019 (mother, father)", "1/7/2019 (mother, father)"),
        ("relapse: March 4, 2019.", "relapse: January 7, 2019."),
    ] {
        assert_eq!(moved(-56, value), image, "{value}");
        let found = before(&Randomness::new([4; 32]), Moving::forth(-56, None), Kind::Unknown, image);
        assert!(found.contains(&value.to_owned()), "{value}: {found:?}");
    }
    for (value, word) in [
        ("Mother 2019", "Mother"),
        ("karen 2019", "karen"),
        ("rose 3/4", "rose"),
        ("labor 3/4/2019 Karen", "Karen"),
        // Parts of codes, addresses and names of days.
        ("labor7153 3/4/2019", "labor"),
        ("3/4/2019 mother.labor@mayo.edu", "mother"),
        ("mother-3/4", "mother"),
        ("labor harvest 2019", "harvest"),
        ("bridge day 2019", "bridge"),
    ] {
        assert!(!moved(-56, value).contains(word), "{value}");
    }
    assert_ne!(moved(-56, "mother"), "mother");
}

/// What a season became leads back to it, with a year, with two, or alone.
#[test]
fn seasons_are_led_back() {
    for value in [
        "summer",
        "Winter",
        "summer 2014",
        "winter 2013/2014",
        "Q3 2014",
        "Summer of '14",
        "été",
        "Herbst 2017",
        "autunno 2019",
        "Höst 2014",
    ] {
        for days in [-364, 56, 364] {
            let (randomness, moving) = (Randomness::new([4; 32]), Moving::forth(days, None));
            let found = before(&randomness, moving, Kind::Unknown, &moved(days, value));
            assert!(found.iter().any(|original| original == value), "{value}: {found:?}");
        }
    }
}
