CREATE TABLE `refund_pins` (
	`pos` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`made_at` integer NOT NULL,
	`wrong` integer NOT NULL,
	`locked_until` integer NOT NULL,
	FOREIGN KEY (`pos`) REFERENCES `points_of_sale`(`id`) ON UPDATE no action ON DELETE no action
);
