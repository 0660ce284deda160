DROP INDEX `jobs_by_order_number`;--> statement-breakpoint
CREATE INDEX `jobs_by_order_number` ON `jobs` (`order_number`,`pos`,`created`);