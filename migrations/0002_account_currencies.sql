ALTER TABLE `psp_accounts` ADD `currencies` text;
